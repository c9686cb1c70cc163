import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseIds } from '../../../src/markup/pastedIds.ts';

/** What is found in each of these texts. */
function assertFound(ids: readonly string[], ...texts: readonly string[]): void {
  for (const pasted of texts) assert.deepEqual(parseIds(pasted), ids, pasted);
}

describe('Pasted IDs', () => {
  it('are found between any separators, without duplicates', () => {
    const ids = ['7058314', 'big'];
    assertFound(ids, '7058314,big', ' 7058314 \r\n\tbig ', '7058314;big；7058314', '7058314、big，');
    assertFound(ids, '["7058314", "big"]', '“7058314”，‘big’');
    // Copied from a page, with invisible characters.
    assertFound(ids, '\ufeff7058314\u200e\u00a0\u200bbig\u2028');
  });

  it('are found in Chinese punctuation, without the labels beside them', () => {
    assertFound(['518204736', '563311478'], '518204736、563311478。', '518204736·563311478');
    assertFound(['518204736', '563311478'], '- 518204736\n• 563311478', '(518204736) <563311478>');
    assertFound(['518204736'], '群号：518204736（测试）', '群号:518204736(测试).');
    assertFound(['518204736'], '| 518204736 | 河畔 |', '大群 518204736');
    assertFound(['518204736', '563311478', '7058314'], '群ID：518204736，ID: 563311478, ID 7058314');
    assertFound(['518204736', '7058314'], 'QQ群518204736群主7058314');
    assertFound(['518204736', '563311478', '7058314', '7102649'], '【518204736】《563311478》「7058314」……7102649——');
    assertFound(['518204736', '563311478', '7058314', '7102649'], '518204736/563311478&7058314和7102649');
    assertFound(['518204736!7058314', '7102649'], '518204736!7058314! 7102649.');
    assertFound(['518204736', 'big'], '５１８２０４７３６，ｂｉｇ');
  });

  it('are found in lists, among names, remarks and labels', () => {
    assertFound(['518204736', '563311478'], '1. 518204736\n2. 563311478', '1) 518204736 2) 563311478');
    assertFound(['518204736', '563311478'], '1、518204736\n2、563311478', '（1）518204736\n（2）563311478');
    assertFound(['518204736', '563311478'], '①518204736 ②563311478', '- [ ] 518204736\n- [x] 563311478');
    assertFound(['518204736', '563311478'], '群1：518204736；群2：563311478');
    assertFound(['518204736', '563311478'], 'Group 1: 518204736, Group 2: 563311478');
    assertFound(['518204736', '563311478'], '518204736（群1）、563311478（2群）');
    assertFound(['518204736', '563311478'], '518204736 (Riverside), 563311478(East Bank)');
    assertFound(['518204736', '563311478'], '{"ids":["518204736","563311478"]}', '**518204736**, *563311478*');
    assertFound(['518204736', '563311478'], '518204736<br>563311478', '518204736→563311478');
    assertFound(['518204736', '563311478'], '1.518204736\n2)563311478', '1️⃣518204736\n2️⃣ 563311478');
    assertFound(['518204736'], 'Group ID: 518204736', '{"groupId":518204736}');
    assertFound(['7058314', '7102649'], '@Ann (7058314)\n@Ben Lee (7102649)', 'Ann <7058314>, Ben Lee <7102649>');
    assertFound(['7058314', '7102649'], '# Customers\n7058314 # Ann\n7102649');
    assertFound(['7058314', '7102649'], '1. Ann (7058314)\n2. Ben (7102649)', 'To: Ann <7058314>; Ben <7102649>');
    assertFound(['7058314', '7102649'], '用户ID7058314，群主QQ7102649');
    assertFound(['518204736', '563311478', '7058314'], 'id:518204736 groupId=563311478 QQ:7058314');
    assertFound(['518204736', '563311478', '7058314'], '__518204736__, _563311478_, ~~7058314~~');
    assertFound(['518204736', '30481126', '7058314'], 'groupId="518204736" botId=\'30481126\' name="7058314"');
    assertFound(['7058314', '7102649', '518204736', '563311478'], '@7058314 <@7102649> #518204736 No.563311478');
    assertFound(['518204736', '563311478', '7058314', '7102649'], '✅518204736\n◆563311478✓ ※7058314🙂7102649');
  });

  it('keep short numbers, marks inside, and hidden digits', () => {
    assertFound(['7', '8', '518204736'], '7, 8, 518204736', '7、8、518204736');
    assertFound(['518204736'], '# 518204736');
    assertFound(['big7'], 'name：big7', '"name"：big7');
    assertFound(['#big', '7058****'], '#big 7058****');
    assertFound(['518204736', '563311478'], '518204736 (563311478)');
    assertFound(['big', 'small', 'x'], 'big, small <x>');
    assertFound(['big', '7058314'], 'big\rAnn (7058314)', 'big\tAnn (7058314)');
    assertFound(['user:7058314'], 'user:7058314');
    assertFound(['https://a.example/u?id=7058314'], 'https://a.example/u?id=7058314');
    assertFound(['@big', '7.058314E+6', 'qq7058314'], '@big 7.058314E+6 qq7058314');
  });

  it('may be any words, if nothing says that they are labels', () => {
    assertFound(['big', '518204736'], 'big 518204736');
    assertFound(['大群', '朋友'], '大群、朋友');
    assertFound(['7E5', 'a-b_c.d', 'user:7058314', '大群2', '$(x)'], '7E5 a-b_c.d user:7058314 大群2 $(x)');
  });

  it('lose no long number', () => {
    const characters = '1()（）<>:：, \n\r#@*=群\u20E3◆"./e';
    const words = ['12345', '7058314', '1.', '2、', '**', 'id', 'QQ', 'Ann', 'No.', '- [x] ', '1)'];
    const unit = fc.constantFrom(...characters, ...words);
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const text = units.join('');
        const ids = parseIds(text);
        for (const [number] of text.matchAll(/\d{5,}/g))
          assert.ok(
            ids.some((id) => id.includes(number)),
            JSON.stringify([text, ids]),
          );
      }),
      { numRuns: 3_000 },
    );
  });

  it('are empty if there are only separators', () => {
    assert.deepEqual(parseIds(' ,;\n，[]"" '), []);
  });
});
