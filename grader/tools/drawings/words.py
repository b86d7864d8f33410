"""The words of drawings in the language of their page.

A key is the English text with # for each number; {0} in the Chinese one is its first number.
"""

from __future__ import annotations

import re

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORD = re.compile(r"[a-z]{4,}")
CODE = re.compile(r"\w+\[[^ ]*\]")

CHINESE = {
    # the machine
    "H#: # SMs, the L# cache, and the memory": "H{0}：{1} 个 SM、L{2} 缓存和内存",
    "H#: the chip": "H{0}：整个芯片",
    "# SMs at # GHz": "{0} 个 SM，时钟 {1} GHz",
    "L# cache, # MB, for all SMs": "L{0} 缓存，{1} MB，所有 SM 共用",
    "global memory: A, B and C": "全局内存：A、B 和 C",
    "one SM": "一个 SM",
    "# clocks": "{0} 个时钟周期",
    "clocks: until a value arrives that an SM has asked for": "时钟周期：从 SM 请求一个数到它到达",
    "warp scheduler": "线程束调度器",
    "# instruction / clock": "每时钟周期 {0} 条指令",
    "# registers": "{0} 个寄存器",
    "shared memory (up to # KB) and L# cache": "共享内存（最多 {0} KB）和 L{1} 缓存",
    "# banks: a wavefront (# bytes) / clock": "{0} 个存储体：每时钟周期一个 {1} 字节的波前",
    "# multiply-adds a clock;": "每时钟周期 {0} 次乘加；",
    "all SMs together: # TFLOPS": "所有 SM 一共：{0} TFLOPS",
    # loads in sectors, words in banks
    "A coalesced and a strided load of one warp": "一个线程束的合并加载与跨步加载",
    "neighbours in x read neighbours in memory: B[k][col + lane]": (
        "x 相邻的线程读内存里相邻的元素：B[k][col + lane]"
    ),
    "neighbours in x read different rows of #: A[row + lane][k]": (
        "x 相邻的线程读不同的行，每行 {0} 个：A[row + lane][k]"
    ),
    "# sectors of # bytes; # % of what is moved is used": (
        "{0} 个 {1} 字节的扇区；搬来的数据用上了 {2} %"
    ),
    "Words of a warp in the banks, by the distance between neighbours": (
        "一个线程束的字在存储体中的位置，取决于相邻线程的间距"
    ),
    "a row: thread t reads word t * distance; a column: one of the # banks": (
        "一行：线程 t 读第（t * 间距）个字；一列：{0} 个存储体之一"
    ),
    "distance": "间距",
    "wavefronts": "波前数",
    "the bank, and the words that it delivers": "存储体的编号，以及它要送出几个字",
    # rooflines
    "Roofline: what products of some sizes can reach at most": (
        "屋顶线：几种尺寸的乘积最多能达到的速度"
    ),
    "FLOP for each byte from global memory": "每从全局内存搬一个字节所做的 FLOP",
    "the multiply-add units: #": "乘加单元：{0}",
    "memory: # TB/s": "内存：{0} TB/s",
    "Roofline of shared memory and the L# cache, and kernels of this course": (
        "共享内存和 L{0} 缓存的屋顶线，以及本课程的核函数"
    ),
    "multiply-adds of a warp for each wavefront (# / p)": "每个波前的线程束乘加次数（{0} / p）",
    "one wavefront in a clock": "每时钟周期一个波前",
    "x and y exchanged: #": "x 与 y 对调：{0}",
    "naive: #": "朴素：{0}",
    "tiled: #": "分块：{0}",
    "register-tiled: #": "寄存器分块：{0}",
    "vectorized: #": "向量化：{0}",
    # tiles
    "All tiles of a product; the tiles of one block in one step": (
        "一个乘积的所有分块；一个线程块在某一步用到的分块"
    ),
    "# x # elements, TILE #:": "{0} x {1} 个元素，TILE {2}：",
    "# x # blocks, # steps each": "{0} x {1} 个线程块，各 {2} 步",
    "block (#), step t = #:": "线程块 ({0})，第 t = {1} 步：",
    "grey: the other steps": "灰色：其他各步",
    "The tiles of the last block in the last step: zeros beyond the edge": (
        "最后一个线程块在最后一步的分块：边缘之外是零"
    ),
    "TILE #: a tile has # cells.": "TILE {0}：一个分块有 {1} 个单元。",
    "# of them are in the matrix,": "其中 {0} 个在矩阵之内，",
    "# get a #.": "{0} 个得到 {1}。",
    "# of # threads store": "{1} 个线程中有 {0} 个存储",
    "an element of C; all of them": "C 的一个元素；复制、等待",
    "copy, wait and multiply.": "和相乘则全都参加。",
    "One element of A: # load from global memory, # uses": (
        "A 的一个元素：从全局内存加载 {0} 次，使用 {1} 次"
    ),
    "global memory": "全局内存",
    "# load,": "加载 {0} 次，",
    "by # thread": "由 {0} 个线程",
    "shared memory": "共享内存",
    "# threads of one row of the block": "线程块一行的 {0} 个线程",
    "# uses, after the barrier": "屏障之后使用 {0} 次",
    "without sharing: # loads": "不共用时：加载 {0} 次",
    "# x # elements, # x # threads, # x # each": (
        "{0} x {1} 个元素，{2} x {3} 个线程，每个线程 {4} x {5} 个"
    ),
    "C of one block: # x #": "一个线程块的 C：{0} x {1}",
    "# x # threads; thread (#) in red": "{0} x {1} 个线程；红色是线程 ({2})",
    "its # x # elements": "它的 {0} x {1} 个元素",
    "rows # to #, columns # to #": "第 {0} 到 {1} 行，第 {2} 到 {3} 列",
    "# loads for # multiply-adds: # each": "{0} 次加载供 {1} 次乘加：每次乘加 {2} 次",
    # the pipeline
    "# buffers: copies on their way while slices are multiplied": (
        "{0} 个缓冲区：一边做切片的乘法，一边有复制在途中"
    ),
    "copies (blue) begin after a barrier, and arrive before their slice (green)": (
        "复制（蓝）在屏障之后开始，在做这个切片的乘法（绿）之前到达"
    ),
    "buffer #": "缓冲区 {0}",
    "copy #": "复制 {0}",
    "multiply #": "乘法 {0}",
    "each line: wait for this slice's copies, then a barrier": (
        "每条竖线：等待这个切片的复制，然后是屏障"
    ),
    "a copy has the time of # slices; # may still be on their way": (
        "一次复制有 {0} 个切片的时间；其中 {1} 个切片可以还在途中"
    ),
    # threads that work together
    "From the block to the elements of one thread": "从线程块到一个线程的元素",
    "# warps": "{0} 个线程束",
    "warp #": "线程束 {0}",
    "warp #: # x #": "线程束 {0}：{1} x {2}",
    "# rows of # lanes, and again": "通道 {0} 行，每行 {1} 个，再重复",
    "thread #: lane #": "线程 {0}：通道 {1}",
    "# x # elements": "{0} x {1} 个元素",
    "for one k the warp reads": "对一个 k，线程束读",
    "# + # values": "{0} + {1} 个数",
    "Full and empty: three buffers on a time axis": "满与空：时间轴上的三个缓冲区",
    "who works, and what is in each buffer; time goes to the right": (
        "谁在工作，每个缓冲区里是什么；时间向右"
    ),
    "warps # to #": "线程束 {0} 到 {1}",
    "full, parity #": "满，奇偶 {0}",
    "grey: empty; blue: bytes arrive; green: full, until the warps have arrived at empty": (
        "灰：空；蓝：字节正在到达；绿：满，直到各线程束到达 empty"
    ),
    "an arrow: a buffer is handed back, and can be filled": "箭头：缓冲区被释放，可以再填",
    "A pair of blocks: each copies half of B for both": "一对线程块：各为双方复制 B 的一半",
    "L# cache: a slice of B": "L{0} 缓存：B 的一个切片",
    "half #": "第 {0} 半",
    "block #: shared memory": "线程块 {0}：共享内存",
    "full expects # bytes": "full 预期 {0} 字节",
    "thick: started by the block itself": "粗：由这个线程块自己开始",
    "thin: the same copy, to the other block": "细：同一次复制，送到另一个线程块",
    "# warps multiply": "{0} 个线程束相乘",
    "empty: # arrivals": "empty：{0} 次到达",
    "A tree: half of the values are added to the other half": "树：一半的数加到另一半上",
    "# lanes, # additions, # steps": "{0} 个通道，{1} 次加法，{2} 步",
    "lane #": "通道 {0}",
    "step #": "步长 {0}",
    "blue: the lanes of the next step; orange: what they add": (
        "蓝：下一步的通道；橙：它们要加上的数"
    ),
    "Looking back: own sums, until a sum of everything": "回看：各段自己的和，直到一个全部之和",
    "part # looks back over the words of the parts before it": "第 {0} 段回看它前面各段的字",
    "part #": "第 {0} 段",
    "sum of #": "第 {0} 段的和",
    "sum of # to #": "{0} 到 {1} 的和",
    "before = own # + own # + all #": "before = {0} 自己的和 + {1} 自己的和 + {2} 的全部之和",
    "A tile and its halo": "一个分块和它的光环",
    "# x # blocks of # x # pixels": "{0} x {1} 个线程块，各 {2} x {3} 个像素",
    "green: the # x # pixels of the block": "绿：线程块的 {0} x {1} 个像素",
    "orange: its halo, pixels of # neighbours": "橙：它的光环，{0} 个相邻分块的像素",
    "frame: the # x # pixels that the red one needs": "粗线：红色像素需要的 {0} x {1} 个像素",
    "# cells for # pixels: # each": "{0} 个单元供 {1} 个像素：每个 {2} 个",
    "tile of # x #: # for #, # each": "{0} x {1} 的分块：{2} 个供 {3} 个，每个 {4} 个",
    "without a tile: # each": "没有分块：每个 {0} 个",
}


def said(english: str, language: str) -> str:
    """Errors: LookupError if there are words, and no Chinese for them."""
    if language == "en":
        return english
    key = NUMBER.sub("#", english)
    if key in CHINESE:
        return CHINESE[key].format(*NUMBER.findall(english))
    if WORD.search(CODE.sub("", english)):
        raise LookupError(f"no Chinese in drawings/words.py for {key!r}")
    return english
