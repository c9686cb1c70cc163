import type { ExportLabels } from '../../../src/markup/exportParts.ts';
import { typeNames } from '../../../src/markup/messageContent.ts';
import { Conversation } from '../../../src/markup/rendered/conversation.ts';

/** English labels of an exported chat. */
export const exportLabels: ExportLabels = {
  language: 'en',
  bot: 'Bot',
  unknownTime: 'time unknown',
  unreadable: 'Could not be read:',
  long: 'Too long:',
  kinds: { ...typeNames({ t: (text) => text }), a2ui: 'Card' },
  expired: 'Expired.',
  htmlSource: 'HTML source',
  reply: 'Reply',
  replyToEarlier: 'Reply to an earlier message',
  replyTo: (name) => `Reply to ${name}`,
  says: (name, text) => `${name}: ${text}`,
  timesIn: (offset, zone) => `Times are ${offset} (${zone}).`,
  timesFromHere: (offset) => `Times are ${offset} now.`,
  command: (name) => `Command ${name}`,
  mentions: (ids) => `Mentions ${ids}`,
  otherType: (type) => `Type ${type}`,
  otherKind: (kind) => `Kind ${kind}`,
  opens: (address) => `Opens ${address}`,
  copies: (value) => `Copies ${value}`,
  reports: (value) => `Reports ${value}`,
  unknownAction: (type) => `Action ${type}`,
};

/** A new conversation in Shanghai. */
export const newConversation = () => new Conversation(exportLabels, 'Asia/Shanghai');
