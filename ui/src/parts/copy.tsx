import { useState } from "../hooks.ts";

/** A text with a button that copies it. */
export function Copyable({ text, label = "Copy" }: { text: string; label?: string }) {
  return (
    <div class="copyable">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {done ? "Copied" : label}
    </button>
  );
}

/**
 * Copies a text. Browsers provide the clipboard only for HTTPS and localhost; elsewhere, the text is selected and copied with a command.
 */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
