import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { Listed } from '../../../src/service/message.ts';

/** The fields of a listed form as they're understood. */
function fieldsOf(formJson: unknown) {
  const entry = v.parse(Listed, { msgId: 'm1', contentType: 'form', content: { formJson } });
  return entry.readable ? entry.message.content.formJson : assert.fail();
}
const fieldOf = (field: object) => fieldsOf([field])?.[0];
const textOf = (field: object) => fieldOf({ label: 'Field', ...field })?.value;

describe('A field of a form', () => {
  it('has what was chosen as its value', () => {
    for (const [field, value] of [
      [{ type: 'select', selectIndex: 1, selectValue: '北京' }, '北京'],
      [{ type: 'radio', selectIndex: 0, selectValue: 'Yes' }, 'Yes'],
      [{ type: 'checkbox', selectValues: ['Mon', 'Tue'] }, 'Mon, Tue'],
      [{ type: 'checkbox', selectStatus: [true, false], selectValues: ['Mon'] }, 'Mon'],
      [{ type: 'checkbox', selectValues: ['Mon', null, '', 2] }, 'Mon, 2'],
      [{ type: 'select', selectValue: 7 }, '7'],
      [{ type: 'select', value: '', selectValue: 'b', selectValues: [] }, 'b'],
      [{ type: 'select', value: 'a' }, 'a'],
      [{ type: 'select', selectValue: { label: '北京', value: 'bj' } }, '北京'],
      [{ type: 'checkbox', selectValues: [{ text: 'Mon' }, { text: 'Tue' }] }, 'Mon, Tue'],
    ] as const) {
      assert.equal(textOf(field), value, JSON.stringify(field));
    }
  });

  it('has the chosen option, or else its index, if only that is known', () => {
    const options = ['上海', { label: '北京', value: 'bj' }];
    for (const [field, value] of [
      [{ type: 'select', selectIndex: 1, options }, '北京'],
      [{ type: 'select', selectIndex: '0', options }, '上海'],
      [{ type: 'checkbox', selectIndex: [0, 1], options }, '上海, 北京'],
      [{ type: 'select', selectIndex: 9, options }, '9'],
      [{ type: 'select', selectIndex: 0 }, '0'],
      [{ type: 'select', selectIndex: 2, selectValue: null }, '2'],
    ] as const) {
      assert.equal(textOf(field), value, JSON.stringify(field));
    }
  });

  it('is empty if nothing was chosen', () => {
    for (const field of [
      { type: 'select', options: ['a', 'b'] },
      { type: 'select', selectIndex: -1, options: ['a', 'b'] },
      { type: 'select', selectIndex: -1 },
      { type: 'select', selectIndex: 0, selectValue: '', options: ['a', 'b'] },
      { type: 'checkbox', selectValues: [], options: ['a', 'b'] },
      { type: 'select', selectIndex: null, selectValue: null },
      { type: 'input', value: null },
    ]) {
      assert.deepEqual(fieldOf({ label: 'City', ...field }), { label: 'City', value: '' }, JSON.stringify(field));
    }
  });

  it('has any other value as text', () => {
    for (const [value, text] of [
      [0, '0'],
      [-2.5, '-2.5'],
      ['0', '0'],
      ['line\nline', 'line\nline'],
      [['a', 1, ['b']], 'a, 1, b'],
      [{ from: 'a', to: 'b' }, '{"from":"a","to":"b"}'],
      [[], ''],
    ] as const) {
      assert.equal(textOf({ type: 'input', value }), text);
    }
  });

  it('shows that it has more than can be read, if its value is nested too deeply', () => {
    let value: unknown = 'a';
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    assert.equal(textOf({ type: 'input', value }), '…');
  });

  it('says of a switch whether it is on', () => {
    for (const [field, value] of [
      [{ type: 'switch', value: true }, 'true'],
      [{ type: 'switch', value: false }, 'false'],
      [{ type: 'switch', value: 'true' }, 'true'],
      [{ type: 'switch', value: 0 }, 'false'],
      [{ type: 'switch', value: '1' }, 'true'],
      [{ type: 'checkbox', value: false }, 'false'],
    ] as const) {
      assert.deepEqual(fieldOf({ label: 'Fast', ...field }), { label: 'Fast', value, type: 'switch' });
    }
    assert.deepEqual(fieldOf({ type: 'switch', label: 'Fast' }), { label: 'Fast', value: '' });
    for (const value of ['auto', 'constructor'])
      assert.deepEqual(fieldOf({ type: 'switch', label: 'Fast', value }), { label: 'Fast', value });
  });

  it('is the same if it is parsed again', () => {
    const values = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.nat(3),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.record({ label: fc.string(), value: fc.string() }),
    );
    const fields = fc.record(
      {
        type: fc.constantFrom('input', 'select', 'checkbox', 'switch'),
        label: fc.option(fc.string()),
        value: values,
        selectValue: values,
        selectValues: values,
        selectIndex: values,
        options: values,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fields), (form) => {
        const once = fieldsOf(form);
        assert.deepEqual(fieldsOf(once), once);
      }),
    );
  });

  it('may have a value without a label', () => {
    for (const label of [null, undefined, '']) {
      assert.deepEqual(fieldOf({ id: 'f1', type: 'textarea', label, value: 'long text' }), {
        label: '',
        value: 'long text',
      });
    }
    assert.deepEqual(fieldsOf([{ id: 'f1', type: 'input', label: null, value: null }]), []);
  });
});
