/** The problems that the preview of a draft lists. */
import type { Service } from '../../../platform/service.ts';
import type { ShownDraft } from '../../../protocol/preview.ts';
import { resourceKey } from '../../../service/model.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { countedProblems } from '../document/problem.ts';
import type { ReadDraft } from '../draftReader.ts';
import { unknownRecipients } from '../editing/unknownRecipients.ts';

/** Those that the editor shows, errors first, without hints. */
export function shownProblems({ parsed, problems }: ReadDraft, service: Service | undefined): ShownDraft['problems'] {
  const unknown = service ? unknownRecipients(parsed, service.directory) : [];
  const all = countedProblems([...problems, ...unknown]).map(({ text, severity, start, end, line }) => {
    return { text, severity, start, end, line };
  });
  const isWarning = ({ severity }: (typeof all)[number]) => Number(severity === 'warning');
  return all.toSorted((one, other) => isWarning(one) - isWarning(other) || one.start - other.start);
}

/** The keys of the IDs in a document, whose lookups may change its problems. */
export const mentionedIn = ({ bot, recipients }: ParsedDraft): ReadonlySet<string> =>
  new Set([...(bot ? [resourceKey('bot', bot.id)] : []), ...recipients.map(({ kind, id }) => resourceKey(kind, id))]);
