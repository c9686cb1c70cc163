/** The client and its users, given answers at or beyond the size limits. */
import { blocking } from './answers/blocking.ts';
import { MAX_BLOCK } from './blocks.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

async function run(effort: Effort): Promise<string[]> {
  const { properties, measured, close } = await blocking();
  try {
    const { found } = await search({ name, properties, runsPerRound: 20 }, effort);
    const { answers, tooLong, longest } = measured;
    effort.tally('answers', answers);
    effort.report(
      `${name}: ${count(answers, 'large answers')}, ${count(tooLong, `blocks over ${MAX_BLOCK} ms`)}, longest ${Math.round(longest)} ms`,
    );
    return found;
  } finally {
    await close();
  }
}

const name = 'responsive';
export const responsive: Proof = { name, run };
