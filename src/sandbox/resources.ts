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
  /** The contract's spelling. */
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
  readonly url?: string | null | undefined;
  readonly value?: string | null | undefined;
}

/** Fields of any content. All but the buttons were observed. */
interface Common {
  /** In rows. As sent, they may also be null or a flat list (observed). */
  readonly buttons?: readonly (readonly Button[])[] | readonly Button[] | null | undefined;
  /** Identifiers of mentioned users in text order, with duplicates. */
  readonly at?: readonly string[];
  /** The quoted message of a reply, as "name : text". */
  readonly parent?: string;
  readonly parentImgName?: string;
  readonly parentVideoUrl?: string;
  readonly parentFileName?: string;
}

/** An image in a list (observed). It may have only a name and no URL. Sizes in pixels. */
export interface Picture {
  readonly imageUrl?: string;
  readonly imageName: string;
  readonly etag: string;
  readonly imageWidth: number;
  readonly imageHeight: number;
}

/** A file. `etag` and `fileSize` (bytes) were observed. */
interface File {
  readonly fileName: string;
  readonly fileUrl: string;
  readonly etag?: string;
  readonly fileSize?: number;
}

/** A field of a form (observed). What was chosen is in `selectValue` or `selectValues`. */
export interface Field {
  readonly id: string;
  readonly type: 'input' | 'textarea' | 'select' | 'radio' | 'checkbox' | 'switch';
  readonly label: string | null;
  readonly value?: string | null;
  readonly selectIndex?: number;
  readonly selectValue?: string;
  readonly selectValues?: readonly string[];
}

/** A sticker (observed). */
export interface Sticker {
  /** Begins with `sticker/`. */
  readonly imageName: string;
  readonly expressionId: number;
  readonly stickerId: number;
  readonly stickerPackId: number;
}

/** A post (observed): its content is text (1) or Markdown (2). */
interface Post {
  readonly postId: string;
  readonly postTitle: string;
  readonly postContent: string;
  readonly postContentType: 1 | 2;
}

type Of<Kind extends string, Fields> = { readonly contentType: Kind; readonly content: Common & Fields };

/** A content type with its content: those of contract 2.7, and others that were observed. */
export type Content =
  | Of<'text', { readonly text: string; readonly tip?: string }>
  | Of<'markdown' | 'html' | 'tip', { readonly text: string }>
  | Of<'image', { readonly imageKey: string } | Picture>
  | Of<'file', File>
  /** Durations in seconds. */
  | Of<'video', { readonly videoUrl: string; readonly videoDuration: number; readonly etag: string }>
  | Of<'audio', { readonly audioUrl: string; readonly audioDuration: number }>
  | Of<'expression', Sticker>
  | Of<'post', Post>
  | Of<'form', { readonly formJson: Readonly<Record<string, Field>> }>;

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
