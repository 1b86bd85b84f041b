import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const key = "tracejury.theme";

export const theme = signal<Theme>(stored());

function stored(): Theme {
  const value = localStorage.getItem(key);
  return value === "light" || value === "dark" ? value : "system";
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

export function setTheme(value: Theme): void {
  theme.value = value;
  localStorage.setItem(key, value);
  applyTheme();
}
