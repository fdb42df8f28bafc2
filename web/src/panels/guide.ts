/** What a newcomer to Warcry is told when a question first comes up. */
import type { Text } from "../protocol";

const leaf = (zh: string, en: string): Text => ({ zh, en });

export const FIRST_BATTLE: Record<string, Text> = {
  "ask.role": leaf("双方拼骰决定攻守。第一次玩，选哪个都行：防守方通常更轻松。", "A roll-off decides who attacks. For a first battle either is fine; defending is usually easier."),
  "ask.battlegroup": leaf("你的战士分成匕首、盾、锤三组，每组从不同的地方入场。点棋子名即可选入，也可以按“建议”。", "Your fighters form three groups, Dagger, Shield and Hammer, which start in different places. Click names to add them, or press Suggest."),
  "ask.colour": leaf("红蓝两方各有自己的部署图，选哪个都行：看看桌上哪边的位置更合你意。", "Red and blue start in different places on the map; either is fine."),
  "ask.deploy": leaf("把这一组放进金色区域：点桌面，棋子就过去；回车确认。现在的位置已经合法，可以直接确认。", "Put this group into the brass area: click the table and it goes there; Enter confirms. Where it stands now is already legal."),
  "ask.wild": leaf("每轮你掷六枚先手骰。单骰越多越容易先手；成对、三连、四连可以换取技能。任意骰可以补强其中一组。", "Each round you roll six dice. Singles win the initiative; doubles, triples and quads pay for abilities. A wild die strengthens a set."),
  "ask.first-turn": leaf("先手可以先打一下，后手能看清对手再行动。想进攻就先行动。", "Going first strikes first; going second sees what the enemy does. Go first if you want to attack."),
  "ask.activate": leaf("双方轮流激活一名战士，每名战士有两个行动。从离敌人最近的开始，通常不会错。", "Players take turns to activate a fighter, who has two actions. Starting with the one nearest the enemy is rarely wrong."),
  "ask.act": leaf("两个行动任意搭配：移动、攻击、脱离、等待。把指针停在攻击选项上，右边就显示命中与击倒的确切胜算。", "Two actions in any mix: move, attack, disengage, wait. Rest the pointer on an attack and the exact odds appear here."),
  "ask.move": leaf("金色区域是这次走得到的地方，包括攀爬和跳跃。拖动棋子或点一下；走不到时会说出是哪条规则。", "The brass area is what this move can reach, climbing and jumping included. Drag the piece or click; where you cannot go, the rule is named."),
  "ask.disengage": leaf("贴身时不能普通移动，只能脱离：最多走 3 英寸，并且要离开所有敌人 1 英寸以上。", "Beside an enemy a fighter cannot simply move: it disengages, up to 3 inches, and must end more than 1 inch from every enemy."),
  "ask.pick": leaf("技能要指定目标。发亮的棋子都可以选。", "The ability needs a target: any piece that glows will do."),
  "ask.pay": leaf("技能用成组的技能骰支付：点数越大，效果往往越强。", "Abilities are paid for with sets of dice; a higher number is often a stronger effect."),
  "ask.react": leaf("反应会用掉你的一个行动，但可能救命。敌人命中的胜算高时再用。", "A reaction costs an action, but may save a life. Use it when the attack is likely to hurt."),
  "ask.pick-up": leaf("携带宝物会走得慢，但夺宝时它就是分数。", "A fighter who carries treasure is slower, but in a treasure battle it is what scores."),
};
