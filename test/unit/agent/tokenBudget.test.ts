import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateTokens, fitToBudget } from '../../../src/agent/tokenBudget.ts';

const render = (rows: readonly string[]) => `head\n${rows.join('\n')}\n${rows.length} shown`;
const length = (text: string) => text.length;

describe('A budget of tokens', () => {
  it('is estimated from bytes: four letters of English, or one Chinese character', async () => {
    assert.equal(await estimateTokens('word'), 2);
    assert.equal(await estimateTokens('中文'), 2);
    assert.equal(await estimateTokens(''), 0);
  });

  it('is used for as many rows as fit', async () => {
    const rows = ['1111', '2222', '3333'];
    assert.equal(await fitToBudget(rows, render, 27, length), 'head\n1111\n2222\n3333\n3 shown');
    assert.equal(await fitToBudget(rows, render, 26, length), 'head\n1111\n2222\n2 shown');
  });

  it('cuts the first row if it does not fit', async () => {
    assert.equal(await fitToBudget(['1111'], render, 16, length), 'head\n11…\n1 shown');
    assert.equal(await fitToBudget(['a👍bc'], render, 16, length), 'head\na…\n1 shown');
  });

  it('says that it is too small', async () => {
    assert.equal(await fitToBudget(['1111'], render, 13, length), 'head\n\n0 shown');
    assert.equal(await fitToBudget(['1111'], render, 2, length), 'A budget of 2 tokens is too small for this result.');
  });

  it('is never exceeded by rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }),
        fc.nat(200),
        async (rows, more) => {
          const budget = render([]).length + more;
          const text = await fitToBudget(rows, render, budget, length);
          assert.ok(text.length <= budget);
          // As many rows as possible.
          const shown = Number(/(\d+) shown$/.exec(text)?.[1]);
          const next = render(rows.slice(0, shown + 1));
          assert.ok(shown === rows.length || next.length > budget);
        },
      ),
    );
  });
});
