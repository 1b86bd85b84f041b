import { writtenVerdicts } from "../../export/file/written-verdicts.ts";
import { JournalOpenError } from "../../journal/disk/errors.ts";
import { type Journal, openJournal } from "../../journal/journal.ts";
import { verdictKey } from "../../journal/resumption.ts";
import type { DamageReport, StorageDamage } from "../../support/telemetry/reports/damage-report.ts";
import type { Log } from "../../support/telemetry/log/log.ts";

export interface JournalSettings {
  readonly dir: string;
  readonly durability: "fsync" | "flush";
  readonly budget: number;
  /**
   * Whether the folder is the default. If another process uses the default folder, this process uses another folder next to the default. If
   * the default folder cannot be written, the process logs a warning and has no journal. For a folder that the configuration names, both
   * are errors.
   */
  readonly mayYield?: boolean;
}

/** Maximum number of processes whose journals are in the default folder or in a folder next to the default. */
const MOST_BESIDE = 16;

/**
 * Opens the journal. Resolves to null if the process runs without a journal. Rejects with `JournalOpenError` if the journal cannot be
 * opened.
 */
export async function journalIn(
  settings: JournalSettings,
  log: Log,
  damage: DamageReport,
): Promise<Journal | null> {
  const { durability, budget: budgetBytes, mayYield = false } = settings;
  for (let second = 1; ; second++) {
    const dir = second === 1 ? settings.dir : `${settings.dir}-${second}`;
    try {
      const onDamage = (found: StorageDamage): void => damage.found("journal", dir, found);
      return await openJournal({ dir, durability, budgetBytes, onDamage });
    } catch (error) {
      if (!mayYield || !(error instanceof JournalOpenError)) throw error;
      if (error.isInUse && second < MOST_BESIDE) continue;
      log.warn(
        `running without a journal, so open traces are lost if the process is killed: ${error.message}`,
      );
      return null;
    }
  }
}

/** Returns the verdicts that an earlier process wrote to the verdict file, but did not record as delivered in the journal. */
export async function alreadyWritten(journal: Journal, file: string | null): Promise<Set<string>> {
  if (file === null) return new Set();
  const unsure = journal.past.judgements.filter(({ delivered }) => delivered === null);
  const ids = new Set(unsure.flatMap(({ verdicts }) => verdicts.map(({ verdictId }) => verdictId)));
  const written = await writtenVerdicts(file, ids);
  return new Set(written.map(({ verdictId, revision }) => verdictKey(verdictId, revision)));
}
