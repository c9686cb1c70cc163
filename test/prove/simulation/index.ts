/** Deliveries in several windows of a computer, where everything that may go wrong does so at once. */
import fc from 'fast-check';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { assertNothingFound, histories, runHistory } from './history.ts';

async function run(effort: Effort): Promise<string[]> {
  const total: Record<string, number> = {};
  const properties = {
    'nobody gets a message twice unless the user accepts it, nor another text, early or after a deletion, and nothing is lost or forgotten':
      fc.asyncProperty(histories, async (history) => {
        const told = await runHistory(history);
        for (const [what, number] of Object.entries(told.counts)) total[what] = (total[what] ?? 0) + number;
        assertNothingFound(told);
      }),
  };
  const { found, cases } = await search({ name, properties, runsPerRound: 500 }, effort);
  effort.tally('interleavings', cases);
  const result = found.length === 0 ? '0 doubles, 0 lost, 0 forgotten, 0 wrong texts' : `${found.length} found`;
  const what = Object.entries(total).map(([what, number]) => count(number, what));
  effort.report(`${name}: ${count(cases, 'histories')}, ${what.join(', ')}: ${result}`);
  return found;
}

const name = 'simulation';
export const simulation: Proof = { name, run };
