// A bot in JavaScript: checks an impossible answer first, then gives the last suggestion.
const lines = require("readline").createInterface({ input: process.stdin });
const say = (message) => console.log(JSON.stringify(message));
let pending = null;
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", protocol: message.protocol, name: "node", view: true });
  if (message.type === "decision") {
    if (!message.view.picture) process.exit(9);
    pending = message.suggestions[message.suggestions.length - 1];
    say({ type: "check", n: message.n, answer: { no: "such answer" } });
  }
  if (message.type === "ruling") say({ type: "answer", n: message.n, answer: message.legal ? null : pending });
  if (message.type === "result") process.exit(0);
});
