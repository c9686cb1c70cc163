/** Review record, contract 2.4. */
export interface ReviewRecord {
  readonly id: number;
  readonly chatId: string;
  /** 2: group chat, 3: bot. */
  readonly chatType: number;
  readonly checkWay: string;
  readonly reason: string;
  readonly status: number;
  readonly createTime: number;
  readonly updateTime: number;
  readonly delFlag: number;
}

/** Bot, contract 2.3. */
export interface Bot {
  readonly id: number;
  readonly botId: string;
  readonly nickname: string;
  readonly nicknameId: number;
  readonly avatarId: number;
  readonly avatarUrl: string;
  readonly token: string;
  readonly link: string;
  readonly introduction: string;
  readonly createBy: string;
  readonly createTime: number;
  readonly headcount: number;
  readonly private: number;
  readonly uri: string;
  readonly checkChatInfoRecord: ReviewRecord;
}

/** Relation between a group and its bot, contract 2.2. */
export interface GroupBotRelation {
  readonly id: number;
  readonly groupId: string;
  readonly botId: string;
  readonly delFlag: number;
  readonly createTime: number;
  /** Spelled so in the contract. */
  readonly updateTsime: number;
  readonly bot: Bot;
}

/** Group, contract 2.1. */
export interface Group {
  readonly id: number;
  readonly groupId: string;
  readonly name: string;
  readonly introduction: string;
  readonly createBy: string;
  readonly createTime: number;
  readonly avatarId: number;
  readonly avatarUrl: string;
  readonly headcount: number;
  readonly readHistory: number;
  readonly category: string;
  readonly uri: string;
  readonly groupBotRel: GroupBotRelation;
  readonly checkChatInfoRecord: ReviewRecord;
}

/** User, contract 2.5. */
export interface User {
  readonly userId: string;
  readonly nickname: string;
  readonly avatarUrl: string;
  /** Unix seconds. */
  readonly registerTime: number;
  /** `registerTime` as YYYY-MM-DD HH:MM:SS in UTC+8. */
  readonly registerTimeText: string;
  readonly onLineDay: number;
  readonly continuousOnLineDay: number;
  readonly medals: readonly never[];
  readonly isVip: number;
}

/** Button, contract 2.8. */
export interface Button {
  readonly text: string;
  /** 1: open a URL, 2: copy, 3: click report. */
  readonly actionType: 1 | 2 | 3;
  readonly url?: string | undefined;
  readonly value?: string | undefined;
}

interface Buttons {
  readonly buttons?: readonly (readonly Button[])[] | undefined;
}

/** A kind of content with the content that belongs to it, contract 2.7. */
export type Content =
  | { readonly contentType: 'text'; readonly content: Buttons & { readonly text: string; readonly tip?: string } }
  | { readonly contentType: 'markdown'; readonly content: Buttons & { readonly text: string } }
  | { readonly contentType: 'image'; readonly content: Buttons & { readonly imageKey: string } }
  | {
      readonly contentType: 'file';
      readonly content: Buttons & { readonly fileName: string; readonly fileUrl: string };
    }
  | { readonly contentType: 'html'; readonly content: Buttons & { readonly text: string } };

/** Message, contract 2.6. */
export type Message = Content & {
  readonly msgId: string;
  readonly parentId: string;
  readonly senderId: string;
  readonly senderType: 'bot' | 'user';
  readonly senderNickname: string;
  /** Unix milliseconds. */
  readonly sendTime: number;
  readonly commandName: string;
  readonly commandId: number;
};
