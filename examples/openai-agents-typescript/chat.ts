// One turn of a conversation: `tracejury test --exec 'node --import tsx chat.ts {query}' --spec specs/chat.yaml`.
// With SCRIPTED_MODEL=forgetful, the agent ignores earlier turns.
import { ask, type History } from "./shop-agent.ts";

const isForgetful = process.env["SCRIPTED_MODEL"] === "forgetful";
const history = JSON.parse((isForgetful ? undefined : process.env["TRACEJURY_HISTORY"]) ?? "[]") as History;
console.log(await ask(process.argv[2] ?? "", history));
