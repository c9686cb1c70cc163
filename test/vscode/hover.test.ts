import assert from 'node:assert/strict';
import { commands, type Hover, languages, type MarkdownString, Position, type TextDocument, workspace } from 'vscode';
import { LANGUAGES } from '../../src/lookup/languages.ts';
import { configure, type TestService, useService } from './service.ts';

describe('Hovering an ID', () => {
  let service: TestService;
  let document: TextDocument;
  const lines = ['Ask 7058314 today.', 'The bot 30481126 answers in 518204736.', 'Nobody is 9999999.', 'See big.'];

  beforeEach(async () => {
    service = await useService({ groups: ['big'] });
    document = await workspace.openTextDocument({ language: 'markdown', content: lines.join('\n') });
  });

  afterEach(async () => {
    await configure({ 'hover.lookUp': undefined });
    await service.close();
  });

  const hover = async (text: string): Promise<string> => {
    const at = document.positionAt(document.getText().indexOf(text) + 1);
    const position = new Position(at.line, at.character);
    const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', document.uri, position);
    return hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content as MarkdownString).value)
      .join('\n')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  };

  it('shows the profile of a user', async () => {
    const card = await hover('7058314');
    assert.match(card, /Alice Fernhollow/);
    assert.match(card, /Days online in a row:\*\* \d/);
  });

  it('shows a bot and a group, which the user lookup does not know', async () => {
    assert.match(await hover('30481126'), /Order Desk/);
    assert.match(await hover('518204736'), /Fern & Kettle/);
  });

  it('shows nothing for an ID that belongs to nobody', async () => {
    assert.equal(await hover('9999999'), '');
  });

  it('shows in documents of every language in which people write IDs down', async () => {
    const known = await languages.getLanguages();
    const tried = LANGUAGES.filter((language) => known.includes(language));
    assert.ok(['markdown', 'plaintext', 'json', 'yaml'].every((language) => tried.includes(language)));
    for (const language of tried) {
      document = await workspace.openTextDocument({ language, content: lines.join('\n') });
      assert.match(await hover('7058314'), /Alice Fernhollow/, language);
    }
  });

  it('knows the IDs of the sidebar whatever their shape', async () => {
    assert.match(await hover('big'), /Riverside Town/);
  });

  it('asks the service once for an ID however often it is hovered', async () => {
    await hover('7058314');
    await hover('7058314');
    assert.equal(service.requests.length, 1);
  });

  it('asks only for IDs of the sidebar, or for nothing, where the person set that', async () => {
    await configure({ 'hover.lookUp': 'known' });
    assert.equal(await hover('7058314'), '');
    assert.match(await hover('big'), /Riverside Town/);
    await configure({ 'hover.lookUp': 'never' });
    assert.equal(await hover('518204736'), '');
    assert.equal(service.requests.length, 1);
  });

  it('asks nothing while no service is named', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.equal(await hover('7058314'), '');
    assert.deepEqual(service.requests, []);
  });
});
