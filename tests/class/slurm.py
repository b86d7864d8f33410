"""A cluster of four nodes on this machine, for tests: slurmctld and slurmd for real, as any user.

All of its files are in one folder, and nothing in /etc is used.  `SLURM_CONF` in
Cluster.environment leads the tools of Slurm to it.  It uses no control groups and has no GPUs.
"""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo")
START_S = 180

# A node that is lost is noticed after some seconds, and its tasks wait only as long as a credential
# of theirs lasts.
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=0,bf_interval=1,default_queue_depth=1000,batch_sched_delay=0
SlurmdTimeout=5
MessageTimeout=5
TCPTimeout=2
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = (
    "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory={memory}"
)


def missing() -> str:
    """Why there can be no cluster here; empty if there can."""
    absent = [name for name in PROGRAMS if not found(name)]
    return f"needs {', '.join(absent)} (make setup DEV=1)" if absent else ""


def found(program: str) -> str | None:
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Use it with `with`; stop() ends all of its processes."""

    def __init__(self, nodes: int = 4, memory_mib: int = 8192) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tilegrade-slurm-"))
        self.names = [f"n{number}" for number in range(1, nodes + 1)]
        self.memory_mib = memory_mib
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def environment(self) -> dict[str, str]:
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self) -> Cluster:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def begin(self, name: str, *words: str) -> None:
        with open(self.folder / f"{name}.out", "wb") as out:
            self.processes[name] = subprocess.Popen(
                [str(found(words[0])), *words[1:]],
                env=os.environ | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def configure(self) -> None:
        host = socket.gethostname().split(".")[0]
        port, *ports = free_ports(1 + len(self.names))
        nodes = "\n".join(
            NODE.format(name=name, host=host, port=number, memory=self.memory_mib)
            for name, number in zip(self.names, ports)
        )
        text = CONFIG.format(
            host=host, port=port, user=getpass.getuser(), folder=self.folder, nodes=nodes
        )
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        (self.folder / "state").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.folder.chmod(0o755)  # munged wants its socket to be reached

    def start(self) -> None:
        self.configure()
        files = {name: self.folder / f"munge.{name}" for name in ("sock", "pid", "log", "seed")}
        options = [f"--socket={files['sock']}"]
        options += [f"--{name}-file={files[name]}" for name in ("pid", "log", "seed")]
        key = f"--key-file={self.folder / 'munge.key'}"
        self.begin("munged", "munged", "--foreground", "--force", key, *options)
        self.wait(lambda: files["sock"].exists(), "munged")
        self.begin("slurmctld", "slurmctld", "-D", "-f", str(self.folder / "slurm.conf"))
        for name in self.names:
            self.begin(name, "slurmd", "-D", "-f", str(self.folder / "slurm.conf"), "-N", name)
        self.wait(lambda: self.states().count("idle") == len(self.names), "nodes")

    def states(self) -> list[str]:
        words = ["sinfo", "--noheader", "--Node", "--format=%t"]
        done = subprocess.run(
            words, env=os.environ | self.environment, capture_output=True, text=True, check=False
        )
        return done.stdout.split()

    def has_job(self, name: str) -> bool:
        """Whether a job of this name is queued or runs."""
        words = ["squeue", "--noheader", "--format=%j", f"--name={name}"]
        done = subprocess.run(
            words, env=os.environ | self.environment, capture_output=True, text=True, check=False
        )
        return name in done.stdout.split()

    def wait(self, ready, what: str) -> None:
        end = time.monotonic() + START_S
        while not ready():
            if time.monotonic() > end:
                logs = [path.read_text()[-500:] for path in self.folder.glob("*.log")]
                raise AssertionError(f"{what} did not start: {logs} {self.states()}")
            time.sleep(0.1)

    def kill_node(self, name: str) -> None:
        """All of its processes, as if its machine were gone."""
        self.processes[name].kill()
        for pid in self.processes_on(name):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.processes[name].wait()

    def processes_on(self, name: str) -> list[int]:
        """Those of its tasks, and the steps of slurmd above them, which are no children of it."""
        conf = f"SLURM_CONF={self.folder}/slurm.conf"
        wanted = {f"SLURMD_NODENAME={name}".encode(), conf.encode()}
        tasks: list[int] = []
        steps: set[int] = set()
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if wanted <= set((path / "environ").read_bytes().split(b"\0")):
                    tasks.append(int(path.name))
                    parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    if "slurmstepd" in Path(f"/proc/{parent}/comm").read_text():
                        steps.add(parent)
            except OSError:
                continue
        return [*steps, *tasks]

    def stop(self) -> None:
        for name in self.names:
            if name in self.processes and self.processes[name].poll() is None:
                self.kill_node(name)
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
