import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LANGUAGES } from '../../../src/lookup/languages.ts';

describe('Languages with hovers', () => {
  it('wake the extension, so that a hover works in a window where nothing else has', () => {
    const { activationEvents }: { activationEvents: string[] } = JSON.parse(readFileSync('package.json', 'utf8'));
    const awake = activationEvents.filter((event) => event.startsWith('onLanguage:'));
    assert.deepEqual(
      awake,
      LANGUAGES.map((language) => `onLanguage:${language}`),
    );
  });
});
