import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { addChecksum, verifyChecksum, verifyLines } from '../../../src/platform/checkedLines.ts';
import { hexDigest, serviceDigest } from '../../../src/platform/durableFiles.ts';

const Text = v.object({ text: v.string() });

describe('A line with a checksum', () => {
  it('begins with 16 digits of the SHA-256 of its JSON', async () => {
    assert.equal(await addChecksum({ text: 'a' }), `${(await hexDigest('{"text":"a"}')).slice(0, 16)} {"text":"a"}`);
    assert.equal(await hexDigest('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(await serviceDigest('abc'), 'ba7816bf8f01');
  });

  it('has its value, without what the replacer leaves out, if it matches the schema', async () => {
    const line = await addChecksum({ text: 'a', secret: 'b' }, (name, value) =>
      name === 'secret' ? undefined : value,
    );
    assert.doesNotMatch(line, /secret/);
    assert.deepEqual(await verifyChecksum(line, Text), { text: 'a' });
    assert.equal(await verifyChecksum(line, v.number()), undefined);
    assert.deepEqual(await verifyLines([line, 'damaged', line], Text), [{ text: 'a' }, undefined, { text: 'a' }]);
  });

  it('has none if any character was changed, lost or added', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.nat(),
        fc.nat({ max: 1 }),
        fc.string({ maxLength: 1 }),
        async (text, at, removed, added) => {
          const line = await addChecksum({ text });
          const place = at % (line.length + 1);
          const changed = line.slice(0, place) + added + line.slice(place + removed);
          assert.deepEqual(await verifyChecksum(changed, Text), changed === line ? { text } : undefined);
        },
      ),
    ));
});
