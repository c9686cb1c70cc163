/** Drags rows to another position or into an editor, which gets their IDs, and documents onto rows, to send them. */
import { type DataTransfer, DataTransferItem, type TreeDragAndDropController } from 'vscode';
import { type ChatNode, isRow, nodeText } from './nodes.ts';

const TREE_TYPE = 'application/vnd.code.tree.botchats.chats';
const TEXT_TYPE = 'text/plain';
const FILES_TYPE = 'text/uri-list';

export interface DropHandler {
  /** Rows were dropped on a row or a section. */
  dropRows(rows: readonly ChatNode[], target: ChatNode): void;
  /** Documents, as URIs, were dropped on a row or a section. */
  dropDocuments(documents: readonly string[], target: ChatNode): void;
}

export type DragAndDrop = Required<Pick<TreeDragAndDropController<ChatNode>, 'handleDrag' | 'handleDrop'>>;

export function createDragAndDrop(handler: DropHandler): DragAndDrop {
  return {
    handleDrag(nodes, transfer) {
      transfer.set(TREE_TYPE, new DataTransferItem(nodes.filter(isRow)));
      transfer.set(TEXT_TYPE, new DataTransferItem(nodes.map(nodeText).filter(Boolean).join('\n')));
    },
    async handleDrop(target, transfer) {
      if (!target) return;
      const rows = rowsIn(transfer);
      if (rows) return handler.dropRows(rows, target);
      const list = await transfer.get(FILES_TYPE)?.asString();
      const documents = (list ?? '').split(/\r?\n/).filter((line) => line && !line.startsWith('#'));
      if (documents.length > 0) handler.dropDocuments(documents, target);
    },
  };
}

/** The dragged rows of this tree, if any. VS Code passes them on unchanged. */
function rowsIn(transfer: DataTransfer): readonly ChatNode[] | undefined {
  const value: unknown = transfer.get(TREE_TYPE)?.value;
  return Array.isArray(value) ? value : undefined;
}
