// A lint rule: a text that counts goes through `plural`, so that nothing says "1 cores".
const COUNTED =
  "account|attempt|cell|component|core|field|file|folder|GPU|GPU-hour|group|image|job|kernel|line|member|message|node|notebook|" +
  "partition|problem|process(?=es)|record|reservation|row|session|snooze|task|template|terminal|token|user";
const AFTER = new RegExp(`^ (?:(?:free|more|new|other|selected|unused) )?(?:${COUNTED})e?s\\b`);

/** `count === 1 ? "one job" : `${count} jobs``, `nodes > 1 ? …`: chosen by the number. */
const byNumber = ({ type, test }) =>
  type === "ConditionalExpression" && test.type === "BinaryExpression" && typeof test.right.value === "number";

export default {
  meta: { type: "problem", schema: [], messages: { plural: "Write this count with `plural` of strings/plural.ts." } },
  create: (context) => ({
    TemplateLiteral(node) {
      if (context.sourceCode.getAncestors(node).some(byNumber)) return;
      node.expressions.forEach((expression, at) => {
        if (expression.type !== "ConditionalExpression" && AFTER.test(node.quasis[at + 1].value.raw)) context.report({ node: expression, messageId: "plural" });
      });
    },
  }),
};
