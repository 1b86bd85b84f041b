import { counted } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import {
  adviceId,
  type Instrumentation,
  instrumentationNames,
  type Loss,
  lossesOf,
  serviceName,
} from "./instrumentation.ts";

/** Number of rows that are unfolded. The other rows show only which evidence is missing. */
const mostOpen = 4;

/** For each service whose telemetry lacks evidence, shows which evidence is missing, and which setting of the agent's process adds it. */
export function Settings({ rows }: { rows: readonly Instrumentation[] }) {
  const lossy = rows.map((row) => ({ row, losses: lossesOf(row) })).filter(({ losses }) => losses.length > 0);
  const whole = rows.length - lossy.length;
  return (
    <section class="panel" aria-labelledby="switch-title">
      <header>
        <h2 id="switch-title">What to switch on</h2>
        <span class="quiet">
          in the agent's process; <code>tracejury doctor</code> shows the same for a dump
        </span>
      </header>
      {lossy.length === 0 && (
        <p class="body quiet">Nothing: no setting adds evidence that these runs lack.</p>
      )}
      {lossy.map(({ row, losses }, at) => (
        <details key={keyOf(row)} id={adviceId(row)} class="advice" open={at < mostOpen}>
          <summary>
            <strong>
              {serviceName(row)} · {instrumentationNames(row)}
            </strong>{" "}
            <span class="quiet">{counted(row.runs, "run")}</span>
            <br />
            Missing: {losses.map(lossWords).join(", ")}
          </summary>
          <SettingsOf row={row} />
        </details>
      ))}
      {lossy.length > 0 && whole > 0 && (
        <footer>{counted(whole, "more row loses", "more rows lose")} nothing.</footer>
      )}
    </section>
  );
}

function SettingsOf({ row }: { row: Instrumentation }) {
  const { advice, limits, other_versions: otherVersions } = row;
  const known = new Set([...advice.flatMap(({ evidence }) => evidence), ...limits.map(({ what }) => what)]);
  const withoutSetting = lossesOf(row).filter(({ name }) => !known.has(name));
  const unsettable = limits.filter(({ what }) => !advice.some(({ evidence }) => evidence.includes(what)));
  return (
    <>
      {versionSentences(otherVersions).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {advice.map(({ set, evidence, page }) => (
        <div key={set}>
          <div class="setting">
            <code>{set}</code>
            <CopyButton text={set} />
          </div>
          <p class="quiet">
            for {evidence.map(words).join(", ")}
            {evidence.every((name) => name === "session_ids") && " (optional)"}; {page}
          </p>
        </div>
      ))}
      {unsettable.map(({ what, why }) => (
        <p key={what} class="quiet">
          {words(what)}: no setting records it: {why}
        </p>
      ))}
      {withoutSetting.length > 0 && (
        <p class="quiet">
          No known setting records: {withoutSetting.map(({ name }) => words(name)).join(", ")}.
        </p>
      )}
    </>
  );
}

/** Returns sentences such as `Version 0.62.4 shows tool results in 22 of 23, usage in 9 of 9.` */
function versionSentences(all: Instrumentation["other_versions"]): readonly string[] {
  return [...new Set(all.map(({ version }) => version))].map((version) => {
    const shown = all
      .filter((one) => one.version === version)
      .map(({ evidence, have, of }) => `${words(evidence)} in ${have} of ${of}`);
    return `Version ${version} shows ${shown.join(", ")}.`;
  });
}

function keyOf({ service, producers }: Instrumentation): string {
  return JSON.stringify([service, producers.map(({ scope, version }) => [scope, version])]);
}

/** Returns a text such as `tool results in 35 of 35 tool calls`. The first number counts the calls in which the evidence is missing. */
function lossWords({ name, have, of, unit }: Loss): string {
  return `${words(name)} in ${of - have} of ${counted(of, unit)}`;
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
