import { useEffect, useRef } from "../hooks.ts";
import { showsKeys } from "../keys.ts";

const groups: readonly (readonly [
  title: string,
  keys: readonly (readonly [what: string, keys: string])[],
])[] = [
  [
    "Everywhere",
    [
      ["Search runs", "/"],
      ["This list", "?"],
      ["Home, Runs, Queries", "g h, g r, g q"],
      ["Compare, System", "g c, g s"],
    ],
  ],
  [
    "Lists",
    [
      ["Next, previous row", "j, k"],
      ["Open; leave", "Enter, Esc"],
      ["Mark for comparison", "x"],
    ],
  ],
  [
    "A run",
    [
      ["Next, previous step", "j, k"],
      ["Next, previous evidence", "n, p"],
      ["Next, previous check", "], ["],
      ["Back to the list", "Esc"],
    ],
  ],
];

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = showsKeys.value;
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
  }, [isShown]);
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={() => (showsKeys.value = false)}>
      <h2 id="keys-title">Keyboard</h2>
      {groups.map(([title, keys]) => (
        <div key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([what, which]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {which.split(", ").map((one) => (
                    <kbd key={one}>{one}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}
