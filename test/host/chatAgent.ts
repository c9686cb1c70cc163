import { addExtension } from './helper.ts';
import type { Profile } from './profile.ts';

/** What the agent does: calls a tool, or writes Markdown, in which LINK is the address of a message that it has read. */
export type Step =
  | { readonly tool: string; readonly input: object }
  | { readonly markdown: string; readonly message: string };

const MANIFEST = {
  name: 'agent',
  activationEvents: ['onStartupFinished'],
  // The chat needs an agent of its own, and a model.
  enabledApiProposals: ['chatParticipantAdditions', 'chatParticipantPrivate', 'chatProvider', 'defaultChatParticipant'],
  contributes: {
    commands: [{ command: 'test.ask', title: 'Test: Ask Agent' }],
    chatParticipants: [
      { id: 'test.agent', name: 'agent', fullName: 'Agent', isDefault: true, modes: ['agent'], locations: ['panel'] },
    ],
    languageModelChatProviders: [{ vendor: 'test', displayName: 'Test' }],
  },
};

const MAIN = String.raw`const { readFileSync } = require('node:fs');
const { chat, commands, lm, workspace } = require('vscode');

const plan = () => JSON.parse(readFileSync(workspace.workspaceFolders[0].uri.fsPath + '.plan.json', 'utf8'));
const MODEL = {
  id: 'scripted',
  name: 'Scripted',
  family: 'scripted',
  version: '1',
  isDefault: true,
  isUserSelectable: true,
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
};

/** Does what the plan beside the workspace folder says. */
async function run({ toolInvocationToken }, _context, stream, token) {
  let result = '';
  for (const { tool, input, markdown, message } of plan().steps) {
    if (tool) {
      const { content } = await lm.invokeTool(tool, { input, toolInvocationToken }, token);
      result = content.map(({ value }) => value).join('');
    } else {
      const [, address] = /\]\((.*)#ID\)/.exec(result);
      const row = result.split('\n').find((line) => line.includes(message));
      stream.markdown(markdown.replaceAll('LINK', address + '#' + JSON.parse(row).id));
    }
  }
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    lm.registerLanguageModelChatProvider('test', {
      provideLanguageModelChatInformation: () => [MODEL],
      provideLanguageModelChatResponse: async () => {},
      provideTokenCount: async (_model, text) => Math.ceil(String(text).length / 4),
    }),
    chat.createChatParticipant('test.agent', run),
    commands.registerCommand('test.ask', () =>
      commands.executeCommand('workbench.action.chat.open', {
        query: plan().query,
        modelSelector: { vendor: 'test' },
      }),
    ),
  );
};
`;

/** Installs an extension with an agent for VS Code's chat that follows a plan instead of a language model. */
export function addChatAgent(profile: Profile): Promise<string> {
  return addExtension(profile, MANIFEST, MAIN);
}
