/** The client, given all kinds of answers that the contract doesn't allow. */
import { anyAnswers } from './answers/any.ts';
import { changedAnswers } from './answers/changed.ts';
import { oddFields } from './answers/fields.ts';
import { goodAnswers } from './answers/mutations.ts';
import { quotedTokens } from './answers/tokens.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

async function run(effort: Effort): Promise<string[]> {
  const good = await goodAnswers();
  const properties = { ...anyAnswers(good), ...changedAnswers(good), ...oddFields(good), ...quotedTokens(good) };
  const { found, cases } = await search({ name, properties, runsPerRound: 100 }, effort);
  effort.tally('answers', cases);
  const result =
    found.length === 0 ? 'valid data or a ServiceError for each, 0 tokens leaked' : `${found.length} found`;
  effort.report(`${name}: ${count(cases, 'cases')} of ${count(Object.keys(properties).length, 'claims')}, ${result}`);
  return found;
}

const name = 'answers';
export const answers: Proof = { name, run };
