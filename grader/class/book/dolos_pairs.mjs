// The most similar pairs of source files, by @dodona/dolos-lib, as a table in the form of Dolos'
// own pairs.csv:  node dolos_pairs.mjs FOLDER OUT MAX STUB FILE…
// The library is searched for where npm puts it: in FOLDER, then globally.  Exit code 4: it is in
// neither.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

async function library(folder) {
  const folders = [join(folder, "node_modules")];
  try {
    folders.push(execFileSync("npm", ["root", "-g"], { encoding: "utf8" }).trim());
  } catch {
    // no npm: the global folder is not known
  }
  for (const modules of folders) {
    try {
      return await import(pathToFileURL(join(modules, "@dodona/dolos-lib/dist/index.js")));
    } catch (error) {
      if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    }
  }
  process.exit(4);
}

const [folder, out, max, stub, ...files] = process.argv.slice(2);
const { Dolos } = await library(folder);
const report = await new Dolos({ language: "cpp" }).analyzePaths(files, stub);
const pairs = report.allPairs().sort((a, b) => b.similarity - a.similarity || b.longest - a.longest);
const rows = pairs.slice(0, Number(max)).map((pair, at) => [
  at,
  pair.leftFile.path,
  pair.rightFile.path,
  pair.similarity,
  pair.overlap,
  pair.longest,
]);
const heads = ["id", "leftFilePath", "rightFilePath", "similarity", "totalOverlap", "longestFragment"];
const cell = (value) => `"${String(value).replaceAll('"', '""')}"`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, [heads, ...rows].map((row) => row.map(cell).join(",") + "\n").join(""));
