import assert from 'node:assert/strict';
import { openWindow, type Window } from '../host/window.ts';
import { down, type Gated, serveGated } from './gated.ts';
import { answer, messagesOf, painted, type Reading, reading, type Sent, saveToken, send } from './reading.ts';
import { inView } from './seeing.ts';

const SHOP = 'Fern & Kettle: the shop team';
const GROUP = '518204736';
const ORDER_DESK = '30481126';
const OTHER_BOT = '30527740';

const ASKS_ZH = { title: 'Bot Chats: 设置机器人令牌…', asks: '机器人 30481126 的令牌', bot: 'Order Desk' };

/** Nobody but the test hurries. */
const calm = { 'workbench.reduceMotion': 'on' };

describe('A history that changes while one reads it, in zh-cn and a light theme', () => {
  let window: Window;
  let service: Gated;
  let history: Reading;
  let sent: Sent[];
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const shot = (name: string) => window.screenshot(`history-life-zh-${name}`);
  const open = async (name = SHOP) => {
    await row(name).click();
    history = await reading(window, name);
  };

  before(async () => {
    service = await serveGated();
    sent = await messagesOf(service, GROUP, ORDER_DESK);
    const lists = {
      'botChats.groups': [GROUP, '563311478'],
      'botChats.bots': [ORDER_DESK],
      'botChats.people': ['7850437'],
    };
    const settings = { ...service.settings, ...lists, ...calm, 'botChats.history.refreshSeconds': 1 };
    window = await openWindow({ settings, locale: 'zh-cn', theme: 'light' });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row(`${SHOP}, 群组, 342 名成员`).waitFor();
    await saveToken(window, { ...ASKS_ZH, token: service.sandbox.token(ORDER_DESK) ?? '' });
    await open();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('shows by itself what another bot sends, at the newest end', async () => {
    await inView(history.article(sent.at(-1)));
    await shot('1-newest');
    const news = await send(service, GROUP, OTHER_BOT, '茶到了，请来取。');
    await inView(history.article(news));
    await shot('2-arrived');
  });

  it('lets one read older messages in peace, and leads to what came meanwhile', async () => {
    const older = history.article(sent.at(-30));
    await history.wheelTo(older, -200);
    await painted(older);
    const before = await older.boundingBox();
    const told = await history.listen('splice');
    const news = await send(service, GROUP, OTHER_BOT, '第二壶也好了。');
    await told();
    assert.deepEqual(await older.boundingBox(), before);
    await shot('3-older');
    await history.button('跳到最新消息').click();
    await inView(history.article(news));
  });

  it('marks where what was not seen begins, once it was closed and opened again', async () => {
    await history.wheelTo(history.article(sent.at(-30)), -200);
    const told = await history.listen('splice');
    const news = await send(service, GROUP, OTHER_BOT, '没有人看到这条。');
    await told();
    await window.command('View: Close Editor');
    await window.page.locator('.tabs-container').getByRole('tab').waitFor({ state: 'hidden' });
    await send(service, GROUP, OTHER_BOT, '这条也没有。');
    await open();
    await inView(history.article(news));
    await history.page.locator('.day.new', { hasText: '新消息' }).waitFor();
    assert.equal(await history.page.locator('.day.new + article').getAttribute('id'), `message-${news.msgId}`);
    await shot('4-new');
  });

  it('separates days, and says of whom it is', async () => {
    const older = history.article(sent.at(-60));
    await history.wheelTo(older, -200);
    await history.wheelTo(history.page.locator('.day').first(), -100);
    await shot('5-days');
    await history.page.locator('.sender', { hasText: 'Order Desk' }).first().focus();
    await history.page.getByRole('tooltip').waitFor();
    await shot('6-profile');
  });

  it('shows what is between what was gone to and what was loaded', async () => {
    await window.command('Bot Chats: 转到消息…');
    await answer(window, '此聊天中某条消息的 ID', sent[20]?.msgId ?? '');
    await inView(history.article(sent[20]));
    await shot('7-far');
    const gap = history.page.locator('.gap');
    await history.wheelTo(gap, 300);
    await gap.scrollIntoViewIfNeeded();
    await shot('8-gap');
  });

  it('finds and filters', async () => {
    await history.button('跳到最新消息').click();
    await window.page.keyboard.press('Control+F');
    await history.page.getByPlaceholder('在已加载的消息中查找').fill('FK-84758');
    await history.page.getByText(/^1 \/ \d+$/).waitFor();
    const order = sent.findLast(({ content }) => content.text?.includes('### Order FK-84758'));
    await inView(history.article(order).getByRole('heading'));
    await shot('9-find');
    await history.page.getByLabel('所有发送者').selectOption({ index: 1 });
    await history.page.getByLabel('所有类型').selectOption('markdown');
    await painted(history.page.locator('main'));
    await shot('10-filter');
    await history.page.getByPlaceholder('在已加载的消息中查找').press('Escape');
  });

  it('previews buttons', async () => {
    await window.page.keyboard.press('End');
    await history.button('Mark as collected').last().click();
    await history.page.getByText('这里是预览').waitFor();
    await history.button('Open the order').last().hover();
    await shot('11-buttons');
  });

  it('says of a short chat where it begins, and of an empty one that there is nothing', async () => {
    await open('胶片与黄昏');
    await history.page.getByText('这里是消息记录的开头。').waitFor();
    await shot('12-beginning');
    await open('Nora Quietwood (no bots, please)');
    await history.page.getByText('这里还没有消息。').waitFor();
    await shot('13-empty');
  });
});

describe('A history in trouble, in zh-cn and a light theme of high contrast', () => {
  let window: Window;
  let service: Gated;
  let history: Reading;
  let sent: Sent[];
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const shot = (name: string) => window.screenshot(`history-life-hc-${name}`);
  const alert = () => history.page.getByRole('alert');
  const messagesAnswer = (answer: () => Response) => {
    service.answer = (request) => (request.url.includes('/bot/messages') ? answer() : undefined);
  };

  before(async () => {
    service = await serveGated();
    sent = await messagesOf(service, GROUP, ORDER_DESK);
    const lists = { 'botChats.groups': [GROUP, 'nosuch'], 'botChats.bots': [ORDER_DESK], 'botChats.people': [] };
    const settings = { ...service.settings, ...lists, ...calm, 'botChats.history.refreshSeconds': 0 };
    window = await openWindow({ settings, locale: 'zh-cn', theme: 'hc-light' });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row(`${SHOP}, 群组, 342 名成员`).waitFor();
    await saveToken(window, { ...ASKS_ZH, token: service.sandbox.token(ORDER_DESK) ?? '' });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('says why nothing is there, and reads when that is tried again', async () => {
    messagesAnswer(down);
    await row(SHOP).click();
    history = await reading(window, SHOP);
    await alert().getByText('无法连接到服务').waitFor();
    await shot('1-down');
    service.answer = () => undefined;
    await alert().getByRole('button', { name: '重试' }).click();
    await inView(history.article(sent.at(-1)));
    await alert().waitFor({ state: 'hidden' });
    await shot('2-retried');
  });

  it('keeps what is loaded while the network is gone, and goes on when it is there again', async () => {
    await window.configure({ 'botChats.history.refreshSeconds': 1 });
    messagesAnswer(down);
    await alert().getByText('无法连接到服务').waitFor();
    await inView(history.article(sent.at(-1)));
    await shot('3-gone');
    const news = await send(service, GROUP, OTHER_BOT, '网络恢复了。');
    service.answer = () => undefined;
    await inView(history.article(news));
    await alert().waitFor({ state: 'hidden' });
  });

  it('keeps what is loaded when the token is refused, and goes on with another one', async () => {
    // Only what is older is asked for from now on.
    await window.configure({ 'botChats.history.refreshSeconds': 0 });
    messagesAnswer(() => Response.json({ code: 1003, msg: '未授权: token 无效' }));
    await history.button('检查新消息').click();
    await alert().waitFor();
    await history.wheelTo(history.page.locator('main > :first-child').getByRole('alert'), -200);
    const refusal = alert().getByText('服务返回代码 1003：“未授权: token 无效”');
    await refusal.first().scrollIntoViewIfNeeded();
    await shot('4-refused');
    assert.equal(await refusal.count(), 2);
    await alert().getByRole('button', { name: '设置机器人令牌…' }).first().click();
    service.answer = () => undefined;
    await answer(window, ASKS_ZH.asks, service.sandbox.token(ORDER_DESK) ?? '');
    await alert().first().waitFor({ state: 'hidden' });
    await history.wheelTo(history.article(sent.at(-70)), -200);
    await shot('5-on');
  });

  it('says of a chat that the service does not know what the service says', async () => {
    await row(/^nosuch/).click();
    history = await reading(window, 'nosuch');
    await alert().getByText('会话不存在: nosuch').waitFor();
    await shot('6-unknown');
  });
});
