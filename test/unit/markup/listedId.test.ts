import assert from 'node:assert/strict';
import { idInCell, isChangedNumber, isSheetError } from '../../../src/markup/listedId.ts';

describe('The ID in a cell', () => {
  const idOf = (cell: string) => {
    const result = idInCell(cell);
    return 'id' in result ? result.id : `(${result.problem})`;
  };

  const assertIds = (expected: string, ...cells: string[]) => {
    for (const cell of cells) assert.equal(idOf(cell), expected, cell);
  };
  const assertUnchanged = (...cells: string[]) => {
    for (const cell of cells) assert.equal(idOf(cell), cell);
  };

  it('is the cell, without what people and spreadsheets put around it', () => {
    assertIds('7058314', '7058314', ' 7058314 ', '="7058314"', "'7058314", '<7058314>', 'Ann (7058314)', '7058314。');
    assertIds('7058314', '#７０５８３１４', '**7058314**', 'QQ:7058314', '1. 7058314', '7058314（群1）');
    assertIds('7058314', '\u200B7058314', '7058314\u200E', '\u00A07058314\u3000');
    assertIds('7058314', '\u202A7058314\u202C', '\uFEFF7058314\n');
    assertUnchanged('big', 'a_b-c', '07058314', '7E5', '1e5f', '550e8400-e29b-41d4-a716-446655440000', 'x'.repeat(200));
  });

  it('is missing from a cell with words only, without any, or one that is too long', () => {
    assertIds('(malformed)', '', '   ', '—', '、', 'x'.repeat(201));
  });

  it('is no token', () => {
    assertIds('(token)', 'BOT_TOKEN=0a1b2c3d4e5f', 'Bearer 9f8e7a6b5c', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln');
  });

  it('is no link', () => {
    assertIds('(address)', 'https://a.example/7058314');
    assertIds('(address)', '<vscode://bot-chats.bot-chats/open?7058314>', 'www.a.example/7');
  });

  it("isn't a long number that has something else beside it, or other digits", () => {
    assertIds('(unclear)', '+7058314', '~7058314', '/7058314', '7058314/', '7058314½', '²7058314', '٧٠٥٨٣١٤', 'a٧٠٥');
    assertUnchanged('user/7058314', '7058314@chat', '-7058314', '705-8314', 'a+b', '+1');
  });

  it("isn't the beginning of a number that is cut off", () => {
    assertIds('(changed)', '705831…', '705831...', '="705831…"');
  });

  it('is one of several in a cell with more, or with a number that may be a sum', () => {
    assertIds('(several)', '7058314 7102649', '7058314, 7102649', '7058314、7102649', '7058314\n7102649', 'Total: 2');
    assertIds('(malformed)', '705\u200B8314', '705\u200B8314 7102649');
  });
});

describe('A number that a spreadsheet has changed', () => {
  it('may be no number at all, but an error', () => {
    for (const text of ['###', '#N/A', ' ＃REF!', '#SPILL!', '#NAME?']) assert.ok(isSheetError(text), text);
    for (const text of ['', '##', '#NAME', 'x#N/A', '#N/A x', '#x#N/A', '7']) assert.ok(!isSheetError(text), text);
  });

  it('has an exponent, decimals, separators, a currency, or is an error', () => {
    const assertChanged = (...texts: string[]) => {
      for (const text of texts) assert.equal(isChangedNumber(text), true, text);
    };
    assertChanged('5.58199E+12', '5,58199E+12', '5E+12', '-5E+12', '5.5e12', '5.5E-3', '７.５E12');
    assertChanged(
      '7058314.0',
      '7058314,00',
      '7,058,314',
      '7.058.314',
      '7,058',
      '1,007,058,314',
      '7 058 314',
      '7\u202F058\u202F314',
      "7'058'314",
    );
    assertChanged('7’058’314', '7,058,314.50', '70,58,314', '7.058.314,00 €', '$7058314', '€ 7,058,314', '7,058,314 ¥');
    assertChanged('705831400%', '####', '#N/A', '#REF!', '#NAME?', '#DIV/0!');
  });

  it('is no ID, and an ID is no such number', () => {
    const assertUnchanged = (...texts: string[]) => {
      for (const text of texts) assert.equal(isChangedNumber(text), false, text);
    };
    assertUnchanged('7058314', '07058314', '7E5', 'E+12', '5.E+1', 'a5.5E12', '5.5E12b', '7058314.05', '7,05');
    assertUnchanged('7058,314', '7,058 314', '7,058,314,', '1,7058314', '70,58,3144', '$a7', '7a%');
    assertUnchanged('$', '#', '#x', '#REF', '#N/Ab', '58-314');
  });
});
