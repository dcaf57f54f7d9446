/**
 * A plugin that takes the application's own filter away: every `organisation_id = …` and `organisation.id = …` of a query
 * becomes `true`. What still holds then is held by row level security alone.
 */
import {
  type BinaryOperationNode,
  ColumnNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  type OperationNode,
  RawNode,
  ReferenceNode,
  ValueNode,
} from 'kysely'

export class WithoutFilter implements KyselyPlugin {
  readonly #eraser = new Eraser()

  /** How many filters were taken away, so that a test can see that it did something. */
  get erased(): number {
    return this.#eraser.erased
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]): ReturnType<KyselyPlugin['transformQuery']> {
    return this.#eraser.transformNode(node)
  }

  async transformResult({
    result,
  }: Parameters<KyselyPlugin['transformResult']>[0]): ReturnType<KyselyPlugin['transformResult']> {
    return result
  }
}

class Eraser extends OperationNodeTransformer {
  erased = 0

  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    if (!isFilter(node)) return super.transformBinaryOperation(node)
    this.erased += 1
    return RawNode.createWithSql('true') as OperationNode as BinaryOperationNode
  }
}

function isFilter({ leftOperand, operator, rightOperand }: BinaryOperationNode): boolean {
  if (!ReferenceNode.is(leftOperand) || !ColumnNode.is(leftOperand.column)) return false
  return (
    leftOperand.column.column.name === 'organisationId' &&
    OperatorNode.is(operator) &&
    operator.operator === '=' &&
    ValueNode.is(rightOperand)
  )
}
