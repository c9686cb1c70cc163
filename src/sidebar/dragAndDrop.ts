/** Dragging rows: to another place, or into an editor, which gets their IDs; and documents onto rows, to send them. */
import { type DataTransfer, DataTransferItem, type TreeDragAndDropController } from 'vscode';
import { type ChatNode, isRow, nodeText } from './nodes.ts';

const TREE = 'application/vnd.code.tree.botchats.chats';
const TEXT = 'text/plain';
const FILES = 'text/uri-list';

export interface Dropped {
  /** Rows were dropped on a row or a section. */
  rows(rows: readonly ChatNode[], target: ChatNode): void;
  /** Documents were dropped on a row: their addresses. */
  documents(documents: readonly string[], target: ChatNode): void;
}

export type Dragging = Required<Pick<TreeDragAndDropController<ChatNode>, 'handleDrag' | 'handleDrop'>>;

export function draggingOf(dropped: Dropped): Dragging {
  return {
    handleDrag(nodes, transfer) {
      transfer.set(TREE, new DataTransferItem(nodes.filter(isRow)));
      transfer.set(TEXT, new DataTransferItem(nodes.map(nodeText).filter(Boolean).join('\n')));
    },
    async handleDrop(target, transfer) {
      if (!target) return;
      const rows = rowsIn(transfer);
      if (rows) return dropped.rows(rows, target);
      const list = await transfer.get(FILES)?.asString();
      const documents = (list ?? '').split(/\r?\n/).filter((line) => line && !line.startsWith('#'));
      if (documents.length > 0) dropped.documents(documents, target);
    },
  };
}

/** Rows of this tree: what the person drags within it comes back as it was given. */
function rowsIn(transfer: DataTransfer): readonly ChatNode[] | undefined {
  const value: unknown = transfer.get(TREE)?.value;
  return Array.isArray(value) ? value : undefined;
}
