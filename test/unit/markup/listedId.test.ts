import assert from 'node:assert/strict';
import { idInCell, isChangedNumber } from '../../../src/markup/listedId.ts';

describe('The ID in a cell', () => {
  const idOf = (cell: string) => {
    const result = idInCell(cell);
    return 'id' in result ? result.id : `(${result.problem})`;
  };

  it('is the cell, without what people and spreadsheets put around it', () => {
    for (const cell of [
      '7058314',
      ' 7058314 ',
      '="7058314"',
      "'7058314",
      '<7058314>',
      'Ann (7058314)',
      '7058314。',
      '#７０５８３１４',
    ])
      assert.equal(idOf(cell), '7058314', cell);
    for (const id of ['big', 'a_b-c', '07058314', '7E5', 'x'.repeat(200)]) assert.equal(idOf(id), id);
  });

  it('is missing from a cell with words only, without any, or one that is too long', () => {
    for (const cell of ['', '   ', '—', 'x'.repeat(201)]) assert.equal(idOf(cell), '(malformed)', cell);
  });

  it('is no token', () => {
    for (const cell of [
      'BOT_TOKEN=0a1b2c3d4e5f',
      'Bearer 9f8e7a6b5c',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    ])
      assert.equal(idOf(cell), '(token)', cell);
  });

  it('is no link', () => {
    for (const cell of [
      'https://a.example/7058314',
      '<vscode://bot-chats.bot-chats/open?7058314>',
      'www.a.example/7058314',
    ])
      assert.equal(idOf(cell), '(address)', cell);
  });

  it("isn't a long number that has something else beside it, or other digits", () => {
    for (const cell of ['+7058314', '~7058314', '/7058314', '7058314/', '7058314½', '²7058314', '٧٠٥٨٣١٤', 'a٧٠٥'])
      assert.equal(idOf(cell), '(unclear)', cell);
    for (const id of ['user/7058314', '7058314@chat', '-7058314', '705-8314', 'a+b', '+1']) assert.equal(idOf(id), id);
  });

  it("isn't the beginning of a number that is cut off", () => {
    for (const cell of ['705831…', '705831...', '="705831…"']) assert.equal(idOf(cell), '(changed)', cell);
  });

  it('is one of several in a cell with more, or with a number that may be a sum', () => {
    for (const cell of ['7058314 7102649', '7058314, 7102649', 'Total: 2']) assert.equal(idOf(cell), '(several)', cell);
    assert.equal(idOf('705\u200B8314 7102649'), '(malformed)');
  });
});

describe('A number that a spreadsheet has changed', () => {
  it('has an exponent, decimals, separators, a currency, or is an error', () => {
    const changed = [
      ...['5.58199E+12', '5,58199E+12', '5E+12', '-5E+12', '5.5e12', '5.5E-3', '７.５E12'],
      ...['7058314.0', '7058314,00', '7,058,314', '7.058.314', '7 058 314', '7’058’314', '7,058,314.50', '70,58,314'],
      ...['$7058314', '€ 7,058,314', '705831400%', '7,058,314 ¥', '####', '#N/A', '#REF!', '#NAME?', '#DIV/0!'],
    ];
    for (const text of changed) assert.equal(isChangedNumber(text), true, text);
  });

  it('is no ID, and an ID is no such number', () => {
    const ids = [
      ...['7058314', '07058314', '7E5', 'E+12', '5.E+1', 'a5.5E12', '5.5E12b', '7058314.05', '7,05', '7058,314'],
      ...['7,058 314', '7,058,314,', '1,7058314', '70,58,3144', '$a7', '7a%'],
      ...['$', '#', '#x', '#REF', '#N/Ab', '58-314'],
    ];
    for (const text of ids) assert.equal(isChangedNumber(text), false, text);
  });
});
