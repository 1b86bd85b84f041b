/** Looks of the HTML report: follows the reader's dark or light; on paper everything is open. */
export const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,CanvasText 18%,Canvas);--dim:color-mix(in srgb,CanvasText 65%,Canvas);
--good:light-dark(#116329,#5dd879);--bad:light-dark(#b3121d,#ff8b84);--unsure:light-dark(#7a4b00,#f0b849)}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;padding:1.5rem;max-width:76rem;background:Canvas;color:CanvasText}
h1{font-size:1.4rem;margin:0 0 .25rem}p{margin:.25rem 0}.dim{color:var(--dim)}
.good{color:var(--good)}.bad{color:var(--bad)}.unsure{color:var(--unsure)}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0}label{display:flex;gap:.4rem;align-items:center}
input,select,button{font:inherit;padding:.2rem .5rem}
details{border-top:1px solid var(--line);padding:.4rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:6.5rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;
border-bottom:1px solid var(--line);overflow-wrap:anywhere}th{font-weight:600}
.tools{display:grid;grid-template-columns:1fr 1fr;gap:1rem}ol{margin:.2rem 0;padding-left:2rem}li{overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0}
.line{list-style:none;margin:.2rem 0;padding:0}.line li{display:grid;grid-template-columns:minmax(8rem,18rem) 1fr 6rem;gap:.6rem;align-items:center}
.line i{display:block;position:relative;height:.7rem;background:color-mix(in srgb,CanvasText 8%,Canvas)}
.line i i{position:absolute;top:0;bottom:0;min-width:2px;background:light-dark(#3b6fb6,#79a8e8)}
.line .tool i i{background:light-dark(#8a5a9e,#c79bdb)}.line .failed i i{background:var(--bad)}.line span{text-align:right}
@media print{form,nav{display:none}body{max-width:none;padding:0}details{break-inside:avoid}}
`;

/** Draws the page from the data beside it. Strangers' text only ever becomes text nodes. Shows 50 runs at a time. */
export const script = `
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const PAGE = 50;
let page = 0;
const colour = { pass: "good", fail: "bad", error: "unsure", incomplete: "unsure", warn: "unsure", skip: "dim" };
function make(name, text, kind) {
  const node = document.createElement(name);
  if (text !== undefined && text !== null) node.textContent = String(text);
  if (kind) node.className = kind;
  return node;
}
function add(parent, ...children) { parent.append(...children); return parent; }
function table(head, rows) {
  const top = add(make("thead"), add(make("tr"), ...head.map((text) => { const th = make("th", text); th.scope = "col"; return th; })));
  return add(make("table"), top, add(make("tbody"), ...rows.map((cells) => add(make("tr"), ...cells))));
}
function toolList(title, names, others) {
  const list = make("ol");
  for (const name of names) list.append(make("li", name ?? "(unnamed)", others && !others.includes(name) ? "bad" : ""));
  return add(make("div"), make("strong", title), names.length ? list : make("p", "none", "dim"));
}
function waterfall(run) {
  const end = Math.max(run.length, ...run.steps.map((step) => step[2] + step[3]), 1);
  const rows = run.steps.map(([kind, name, start, length, failed]) => {
    const row = make("li", null, kind + (failed ? " failed" : ""));
    const bar = make("i");
    bar.style.left = Math.max(0, Math.min(100, 100 * start / end)) + "%";
    bar.style.width = Math.max(0, Math.min(100, 100 * length / end)) + "%";
    const track = make("i");
    track.setAttribute("aria-hidden", "true");
    return add(row, make("div", kind + " " + name + (failed ? " (failed)" : "")), add(track, bar), make("span", Math.round(length) + " ms", "dim"));
  });
  return add(make("div"), make("strong", "steps, from start to end"), add(make("ol", null, "line"), ...rows));
}
function beside(compared) {
  const said = compared.differences.length ? compared.differences.length + compared.more + " differences" : "no differences";
  const head = make("strong", "baseline " + compared.version + ": " + said + (compared.regressed ? ", regressed" : ""));
  const kinds = { error: compared.regressed ? "bad" : "unsure", warn: "unsure", info: "dim" };
  const items = compared.differences.map(([severity, type, message]) => add(make("li"), make("span", type + " ", kinds[severity]), make("span", message)));
  return add(make("div"), head, add(make("ul"), ...items));
}
function bodyOf(run) {
  const body = make("div");
  if (run.error !== null) body.append(make("p", "error: " + run.error, "bad"));
  body.append(make("p", run.spec + " · " + run.id + " · run " + run.run, "dim"));
  body.append(table(["layer", "check", "outcome", "what happened", "where"], run.checks.map((check) => {
    const said = make("td", check.message);
    if (check.judge) said.append(make("p", "judge: " + check.judge, "dim"));
    if (check.remedy) said.append(make("p", "→ " + check.remedy, "dim"));
    return [make("td", check.layer), make("td", check.check), make("td", check.outcome, colour[check.outcome]), said, make("td", check.where, "dim")];
  })));
  const tools = make("div", null, "tools");
  if (run.expected) tools.append(toolList("expected tools", run.expected, run.tools));
  tools.append(toolList("tools used", run.tools, run.expected));
  body.append(tools);
  if (run.steps.length) body.append(waterfall(run));
  if (run.compared) body.append(beside(run.compared));
  if (run.handoffs.length) body.append(make("p", "hand-offs: " + run.handoffs.join(" → ")));
  body.append(make("strong", "answer"), make("pre", run.answer ?? (run.error === null ? "(not captured)" : "(none: the run ended in an error)"), run.answer === null ? "dim" : ""));
  return body;
}
function card(run) {
  const details = make("details");
  const facts = [run.time, run.tokens, run.money].filter(Boolean).join(" · ");
  details.append(add(make("summary"), make("b", run.outcome, colour[run.outcome]), ...(run.error === null ? [] : [make("span", run.error.slice(0, 100) + " · ", "bad")]), run.query, make("span", facts ? " · " + facts : "", "dim")));
  details.addEventListener("toggle", () => { if (details.open && details.childElementCount === 1) details.append(bodyOf(run)); });
  return details;
}
const list = document.getElementById("runs");
const place = document.getElementById("place");
const wanted = document.getElementById("outcome");
const words = document.getElementById("words");
function chosen() {
  const text = words.value.toLowerCase();
  return data.runs.filter((run) => (wanted.value === "" || run.outcome === wanted.value) &&
    (text === "" || [run.query, run.spec, run.id, run.run, run.error ?? "", ...run.tools].join(" ").toLowerCase().includes(text)));
}
function draw() {
  const runs = chosen();
  const pages = Math.max(1, Math.ceil(runs.length / PAGE));
  page = Math.min(Math.max(page, 0), pages - 1);
  list.replaceChildren(...runs.slice(page * PAGE, page * PAGE + PAGE).map(card));
  place.textContent = runs.length + " of " + data.runs.length + " runs, page " + (page + 1) + " of " + pages;
}
wanted.addEventListener("change", () => { page = 0; draw(); });
words.addEventListener("input", () => { page = 0; draw(); });
document.getElementById("before").addEventListener("click", () => { page--; draw(); });
document.getElementById("after").addEventListener("click", () => { page++; draw(); });
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("beforeprint", () => { for (const details of list.children) details.open = true; });
draw();
`;
