/** Dragging rows: to another place, or into an editor, which gets their IDs; and documents onto rows, to send them. */
import { type DataTransfer, DataTransferItem, type TreeDragAndDropController, Uri } from 'vscode';
import { type ChatNode, isRow, isSubject } from './nodes.ts';

const TREE = 'application/vnd.code.tree.botchats.chats';
const TEXT = 'text/plain';
const FILES = 'text/uri-list';

export interface Dropped {
  /** Rows were dropped on a row or a section. */
  rows(rows: readonly ChatNode[], target: ChatNode): void;
  /** Documents were dropped on a row. */
  documents(documents: readonly Uri[], target: ChatNode): void;
}

export function draggingOf(dropped: Dropped): TreeDragAndDropController<ChatNode> {
  return {
    dragMimeTypes: [TEXT],
    dropMimeTypes: [TREE, FILES],
    handleDrag(nodes, transfer) {
      transfer.set(TREE, new DataTransferItem(nodes.filter(isRow)));
      transfer.set(TEXT, new DataTransferItem(nodes.map(textOf).join('\n')));
    },
    async handleDrop(target, transfer) {
      if (!target) return;
      const rows = rowsIn(transfer);
      if (rows) return dropped.rows(rows, target);
      const list = await transfer.get(FILES)?.asString();
      const documents = (list ?? '').split(/\r?\n/).filter((line) => line && !line.startsWith('#'));
      dropped.documents(
        documents.map((address) => Uri.parse(address)),
        target,
      );
    },
  };
}

/** Rows of this tree: what the person drags within it comes back as it was given. */
function rowsIn(transfer: DataTransfer): readonly ChatNode[] | undefined {
  const value: unknown = transfer.get(TREE)?.value;
  return Array.isArray(value) ? value : undefined;
}

function textOf(node: ChatNode): string {
  if (isSubject(node)) return node.id;
  return node.type === 'fact' ? node.fact.value : '';
}
