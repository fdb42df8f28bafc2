/** Words of the rules lab. */
import { useSettings } from "../settings";

const words = {
  lab: ["规则实验室", "Rules lab"],
  text: ["局面文件", "Scene file"],
  puzzles: ["题目", "Puzzles"],
  setUp: ["布置", "Set up"],
  ask: ["提问", "Ask"],
  log: ["战报", "Log"],
  blank: ["空白局面", "Empty position"],
  choose: ["选一道题，先想想裁判会怎么判，再看答案；或从空白局面开始布置。", "Pick a puzzle, decide how the umpire will rule, then look; or begin with an empty position."],
  solve: ["看裁判怎么说", "See the ruling"],
  others: ["其他题目", "Other puzzles"],
  rules: ["依据", "By"],
  load: ["载入文件", "Load file"],
  save: ["存为文件", "Save file"],
  link: ["复制链接", "Copy link"],
  copied: ["已复制", "Copied"],
  undo: ["撤销", "Undo"],
  arrange: ["摆放棋子", "Place pieces"],
  play: ["按规则走", "Play by the rules"],
  arrangeSays: ["拖动棋子或地形，放到哪里就在哪里；按住 Alt 只移一个模型", "Drag pieces and terrain anywhere; with Alt one model alone"],
  stock: ["资料库", "Library"],
  find: ["查找", "Find"],
  side: ["哪一方", "Side"],
  chosen: ["选中的条目", "The selected entry"],
  noneChosen: ["在桌上点一个棋子，就能改它的各项。", "Click a piece on the table to change what is written of it."],
  position: ["整个局面", "The position"],
  more: ["更多", "More"],
  remove: ["删除", "Remove"],
  deed: ["做什么", "Deed"],
  who: ["谁", "Who"],
  whom: ["对谁", "At whom"],
  using: ["用什么（武器、法术、能力的 id）", "With what (id of a weapon, spell or ability)"],
  why: ["可以吗？", "May it?"],
  nothing: ["没有规则反对：可以。", "No rule stands against it: it may."],
  refusedBy: ["不可以：", "It may not:"],
  keep: ["写进局面文件", "Write it into the scene"],
  ruled: ["文件里的提问与回答", "Asked and answered in the file"],
  legal: ["合法", "legal"],
  refused: ["拒绝", "refused"],
  ended: ["预定的骰子用完了", "the dice that were written down have run out"],
  unmet: ["与预期不符", "not as expected"],
  goOn: ["从这里打下去", "Play on from here"],
  alone: ["两边都由我来", "Both sides myself"],
  computer: ["对电脑，执{side}", "Against the computer, as {side}"],
  friend: ["与朋友，执{side}", "With a friend, as {side}"],
  sideA: ["甲方", "side A"],
  sideB: ["乙方", "side B"],
  line: ["第 {n} 行", "line {n}"],
  pick: ["选择游戏", "Choose a game"],
  any: ["不限", "any"],
  measureTip: ["点“测量”量距离与视线；悬停选项看胜算。", "Measure shows distance and sight; rest on an option to see its odds."],
} satisfies Record<string, [string, string]>;

export type LabWord = keyof typeof words;

export function useLabWords() {
  const lang = useSettings((s) => s.lang);
  return (word: LabWord, args: Record<string, string | number> = {}) => words[word][lang === "zh" ? 0 : 1]!.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ""));
}
