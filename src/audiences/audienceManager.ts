/** The audience editor's controller: the lists and prompts, and how they follow each other. Loaded on first use. */
import { commands, type Uri } from 'vscode';
import type { MessageSender } from '../deliveries/contract.ts';
import { AUDIENCES } from '../platform/audiences.ts';
import type { ResourceArgument } from '../platform/commandArguments.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { audienceName } from '../presentation/describe.ts';
import { listItem, pickOne } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { showError } from '../presentation/showError.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { type Chat, chatsAmong } from '../service/model.ts';
import { AudienceEditor } from './audienceEditor.ts';
import { type AudienceAction, askAudience, askTarget } from './audienceList.ts';
import { askMembers } from './memberList.ts';
import { askNewMembers, type MemberSource } from './newMembers.ts';

type ManagerHost = Pick<Host, 'access' | 'audiences' | 'extensionUri' | 'log'>;

/** The audience that the list focuses next, by the name that it has now; or whether to close everything. */
type Next = { name: string | undefined } | 'done';

export class AudienceManager {
  readonly #host: ManagerHost;
  readonly #sender: MessageSender;
  readonly #editor: AudienceEditor;

  constructor(host: ManagerHost, sender: MessageSender) {
    this.#host = host;
    this.#sender = sender;
    this.#editor = new AudienceEditor(host.audiences, host);
  }

  /** Shows all audiences until the user closes the list. Escape goes back one step. */
  async manageAudiences(): Promise<void> {
    this.#host.audiences.check();
    let next: Next = { name: undefined };
    while (next !== 'done') {
      const choice = await askAudience(this.#host.audiences, next.name);
      if (!choice) return;
      const { name, action } = choice;
      const run = name === undefined ? this.#create() : action === 'open' ? this.#open(name) : this.#act(action, name);
      next = await run.catch((error): Next => {
        void showError(error);
        return { name };
      });
    }
  }

  /** Adds groups and people to an audience that the user chooses or creates. */
  async addToAudience(clicked: ResourceArgument | undefined, selected: readonly ResourceArgument[]): Promise<void> {
    const chats = chatsAmong(selected.length > 0 ? selected : clicked ? [clicked] : []);
    if (chats.length === 0)
      throw new UserFacingError(l10n.t('Only groups and people can receive messages. Select at least one.'));
    await this.#addToChosen(chats);
  }

  /** Adds the groups and people that a file names to an audience that the user chooses or creates. */
  async addFileToAudience(file: Uri | undefined): Promise<void> {
    if (!file) return;
    this.#host.audiences.check();
    const service = await this.#host.access.openService();
    if (!service) return;
    const chats = await askNewMembers(file, l10n.t('Add to Audience'), [], service);
    if (chats && chats.length > 0) await this.#addToChosen(chats);
  }

  async #addToChosen(chats: readonly Chat[]): Promise<void> {
    this.#host.audiences.check();
    for (;;) {
      const target = await askTarget(this.#host.audiences, l10n.t('Add to Audience'), chats);
      if (!target) return;
      if (target.name !== undefined) return this.#editor.add(target.name, chats);
      const name = await this.#askNewName();
      if (name !== undefined) return this.#editor.create(name, chats);
      // Without audiences, there is no list to go back to.
      if (this.#host.audiences.names().length === 0) return;
    }
  }

  #askNewName(value?: string): Promise<string | undefined> {
    const prompt = l10n.t("Enter a name for this audience. It's saved in your settings.");
    return this.#editor.askName(l10n.t('New Audience'), prompt, value);
  }

  /** Creates an audience once there is someone to add. */
  async #create(): Promise<Next> {
    const service = await this.#host.access.openService();
    if (!service) return 'done';
    let name: string | undefined;
    for (;;) {
      name = await this.#askNewName(name);
      if (name === undefined) return { name };
      while (!this.#host.audiences.get(name)) {
        const source = await askSource(audienceName(name));
        if (!source) break;
        await this.#addFrom(source, name, service, 'create');
      }
      if (this.#host.audiences.get(name)) return this.#open(name);
    }
  }

  /** Shows who is in an audience until the user goes back. */
  async #open(name: string): Promise<Next> {
    if (this.#host.audiences.read().unreadable.has(name)) {
      await commands.executeCommand('workbench.action.openSettings', AUDIENCES);
      return 'done';
    }
    const service = await this.#host.access.openService();
    if (!service) return 'done';
    for (let shown = name; ; ) {
      const choice = await askMembers(shown, this.#host, service);
      if (!choice) return { name: shown };
      if (choice.type === 'add') await this.#addFrom(choice.source, shown, service, 'add');
      else if (choice.type === 'remove') await this.#editor.removeMembers(shown, choice.chats);
      else {
        const next = await this.#act(choice.action, shown);
        if (next === 'done' || next.name === undefined) return next;
        shown = next.name;
      }
    }
  }

  /** A failure leaves the audience as it is, and the user where they were. */
  async #addFrom(source: MemberSource, name: string, service: Service, action: 'add' | 'create'): Promise<void> {
    const members = action === 'add' ? this.#editor.membersOf(name) : [];
    try {
      const chats = await askNewMembers(source, audienceName(name), members, service);
      if (chats && chats.length > 0) await this.#editor[action](name, chats);
    } catch (error) {
      void showError(error);
    }
  }

  async #act(action: AudienceAction, name: string): Promise<Next> {
    switch (action) {
      case 'rename':
        return { name: await this.#editor.rename(name) };
      case 'remove':
        await this.#editor.remove(name);
        return { name: undefined };
      case 'exportCsv': {
        const service = await this.#host.access.openService();
        if (service) await this.#editor.exportCsv(name, service);
        return { name };
      }
      case 'send':
        await this.#sender.send(this.#editor.membersOf(name));
        return 'done';
    }
  }
}

async function askSource(title: ShownText): Promise<MemberSource | undefined> {
  const items = [
    listItem({ icon: 'clippy', label: l10n.t('Paste IDs…'), source: 'paste' as const }),
    listItem({ icon: 'file-add', label: l10n.t('From File…'), source: 'file' as const }),
  ];
  const placeHolder = l10n.t('Who is in this audience?');
  return (await pickOne(items, { title, placeHolder, ignoreFocusOut: true }))?.source;
}
