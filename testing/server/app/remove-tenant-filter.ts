/**
 * A plugin that removes the application's tenant filter: every `organisation_id = …` in a query becomes `true`. The
 * remaining isolation comes from row-level security alone.
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

export class RemoveTenantFilter implements KyselyPlugin {
  readonly #eraser = new TenantFilterRemover()

  /** How many filters were removed, so that a test can check that there were any. */
  get removedFilters(): number {
    return this.#eraser.removedFilters
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

class TenantFilterRemover extends OperationNodeTransformer {
  removedFilters = 0

  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    if (!isFilter(node)) return super.transformBinaryOperation(node)
    this.removedFilters += 1
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
