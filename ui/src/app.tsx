import { showsKeys } from "./keys.ts";
import { KeyHelp } from "./parts/key-help.tsx";
import { path } from "./route.ts";
import { SideBySideView } from "./side-by-side/side-by-side-view.tsx";
import { RunView } from "./run/run-view.tsx";
import { RunsView } from "./runs/runs-view.tsx";
import { setTheme, theme, type Theme } from "./theme.ts";
import { HomeView } from "./home/home.tsx";
import { inRange, TimeRangeChoice } from "./parts/time-range.tsx";
import { CompareView } from "./compare/compare-view.tsx";
import { QueriesView } from "./views/queries.tsx";
import { SystemView } from "./views/system.tsx";

const views = [
  { path: "/", name: "Home" },
  { path: "/runs", name: "Runs" },
  { path: "/queries", name: "Queries" },
  { path: "/compare", name: "Compare" },
  { path: "/system", name: "System" },
];

export function App() {
  const at = path.value;
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/">
          <img src={icon} alt="" width="24" height="24" /> Tracejury
        </a>
        <nav aria-label="Views">
          {views.map(({ path: to, name }) => (
            <a key={to} href={inRange(to)} aria-current={isCurrent(to, at) ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {(at === "/" || at === "/queries") && <TimeRangeChoice />}
        <ThemeChoice />
        <button
          type="button"
          class="help-button"
          aria-label="Keyboard shortcuts"
          onClick={() => (showsKeys.value = true)}
        >
          ?
        </button>
      </header>
      <KeyHelp />
      <main id="main">
        <View at={at} />
      </main>
    </>
  );
}

const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href;

function isCurrent(to: string, at: string): boolean {
  return to === at || (to === "/runs" && (at === "/side-by-side" || at.startsWith("/runs/")));
}

function View({ at }: { at: string }) {
  if (at.startsWith("/runs/")) {
    const id = decodeURIComponent(at.slice("/runs/".length));
    return <RunView key={id} id={id} />;
  }
  if (at === "/side-by-side") return <SideBySideView />;
  if (at === "/queries") return <QueriesView />;
  if (at === "/compare") return <CompareView />;
  if (at === "/system") return <SystemView />;
  if (at === "/runs") return <RunsView />;
  return <HomeView />;
}

function ThemeChoice() {
  return (
    <label class="theme">
      <span class="hidden">Colours</span>
      <select value={theme.value} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="system">◐ Auto</option>
        <option value="light">◐ Light</option>
        <option value="dark">◐ Dark</option>
      </select>
    </label>
  );
}
