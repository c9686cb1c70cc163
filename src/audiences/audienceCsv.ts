/** An audience as CSV, which can be read back. */
import type { Directory } from '../directory/directory.ts';
import { csvLine } from '../markup/csv.ts';
import { displayName } from '../presentation/describe.ts';
import type { Chat } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** Without it, spreadsheets don't take the file for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A line for each chat: `group` or `person`, its ID, and its name if that is known. */
export async function csvOf(chats: readonly Chat[], directory: Directory): Promise<string> {
  const lines = [BYTE_ORDER_MARK, csvLine(['kind', 'id', 'name'])];
  await new TimeSlices().each(chats, ({ kind, id }) => {
    const found = directory.peek(kind, id);
    lines.push(csvLine([kind === 'user' ? 'person' : kind, id, found ? displayName(found) : '']));
  });
  return lines.join('');
}
