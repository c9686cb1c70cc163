/** `botchats_draft`: a message for the user to read and send. */
import * as v from 'valibot';
import { audienceNamed } from '../platform/audiences.ts';
import { l10n } from '../presentation/shown.ts';
import { type Chat, chatsAmong } from '../service/model.ts';
import type { AgentAccess } from './agentAccess.ts';
import { Id, ids, text } from './inputs.ts';
import { lookUpTitles } from './names.ts';
import { type AgentHost, sentences, type Tool } from './tool.ts';
import { toRow } from './untrusted.ts';

/** How many recipients a draft can name: longer lists belong in an audience. */
const MAX_RECIPIENTS = 500;

const Text = text(2_000);
const Ids = v.optional(ids(MAX_RECIPIENTS), []);

/** What a button does (contract 2.8), in the words of a draft. */
const Button = v.pipe(
  v.strictObject({
    text: Text,
    opens: v.optional(Text),
    copies: v.optional(Text),
    reports: v.optional(Text),
  }),
  v.check(
    ({ opens, copies, reports }) => [opens, copies, reports].filter((effect) => effect !== undefined).length === 1,
    'A button needs exactly one of "opens" (a URL), "copies" and "reports"',
  ),
  v.transform(({ text, opens, copies, reports }) => ({
    text,
    actionType: opens !== undefined ? 1 : copies !== undefined ? 2 : 3,
    url: opens ?? '',
    value: copies ?? reports ?? '',
  })),
);

const Input = v.strictObject({
  body: text(100_000),
  type: v.optional(v.picklist(['markdown', 'text', 'html'], 'Must be "markdown", "text" or "html"')),
  botId: v.optional(Id),
  groups: Ids,
  people: Ids,
  audiences: v.optional(
    v.pipe(v.array(Text, 'Must be a list of names'), v.maxLength(50, 'Can have up to 50 names')),
    [],
  ),
  buttons: v.optional(
    v.pipe(
      v.array(v.unknown(), 'Must be a list of rows, each a list of buttons'),
      v.maxLength(20, 'Can have up to 20 rows'),
      // Models write a button where a row belongs.
      v.transform((rows) => rows.map((row) => (Array.isArray(row) ? row : [row]))),
      v.array(v.array(Button)),
    ),
    [],
  ),
});
type Input = v.InferOutput<typeof Input>;

export function draftTool(host: AgentHost, access: AgentAccess): Tool<Input> {
  /** All recipients of the draft, including members of audiences that exist. */
  function chatsOf({ audiences, ...input }: Input): Chat[] {
    const { audiences: inSettings } = host.audiences.read();
    const members = audiences.map(audienceNamed(inSettings.keys())).flatMap((name) => inSettings.get(name) ?? []);
    return chatsAmong([...addressed(input), ...members]);
  }

  return {
    schema: Input,
    budget: 600,
    async progress() {
      return l10n.t('Opening a draft');
    },

    async question(input) {
      const chats = chatsOf(input);
      if (access.isGranted(chats)) return undefined;
      const references = chats.map(({ kind, id }) => ({ kinds: [kind], id }));
      const recipients = chats.length === 0 ? l10n.t('none yet') : await lookUpTitles(host, references);
      return {
        title: l10n.t('Let the agent open a draft?'),
        text: l10n.t(
          'Opens a new document and its preview. Nothing is sent to its recipients. Their number and any problems found will be sent to the language model. Recipients: {0}',
          recipients,
        ),
      };
    },

    async run({ body, type, botId, audiences, buttons, ...input }) {
      const draft = { body, type, botId, chats: addressed(input), audiences, buttons };
      const { problems, recipients, leftOut, unchecked } = await host.drafts.open(draft);
      const canSend = problems.every(({ severity }) => severity !== 'error');
      return {
        head: sentences(
          `The draft is open in the editor. It is not sent. Recipients: ${recipients}.`,
          leftOut > 0 && `Left out, because the user never sends to them: ${leftOut}.`,
          problems.length === 0 ? 'Its checks find no problems.' : `Problems that its checks find: ${problems.length}.`,
          unchecked > 0 &&
            `${unchecked} of the recipients were never looked up: check that they exist with botchats_look_up.`,
        ),
        rows: problems.map(({ severity, text }) => toRow({ severity, text })),
        foot: (shown) =>
          sentences(
            shown < problems.length && `${problems.length - shown} more are in the document.`,
            canSend
              ? 'Only the user can send it. Say that it is ready to be read, changed and sent.'
              : 'It can only be sent once the errors are corrected, by the user or with another draft.',
          ),
      };
    },
  };
}

const addressed = ({ groups, people }: Pick<Input, 'groups' | 'people'>): Chat[] => [
  ...groups.map((id) => ({ kind: 'group' as const, id })),
  ...people.map((id) => ({ kind: 'user' as const, id })),
];
