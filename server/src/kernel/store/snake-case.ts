/**
 * Translates camelCase names of tables, columns and aliases to snake_case, in raw SQL and in the query builder. PostgreSQL's own
 * names (`json_agg`, `pg_locks`) and quoted text do not change.
 */
import {
  CamelCasePlugin,
  type CollateNode,
  type IdentifierNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RawNode,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely'

export class SnakeCaseStatements extends CamelCasePlugin {
  readonly #transformer = new SnakeCaseTransformer((name) => this.snakeCase(name))

  override transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId)
  }

  /** No renaming here, because the driver already names the columns in camelCase: see `nameColumns`. */
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

class SnakeCaseTransformer extends OperationNodeTransformer {
  readonly #snakeCase: (name: string) => string
  /** Memoised by the strings of a template, which are one array per template in the code. */
  readonly #fragments = new WeakMap<readonly string[], readonly string[]>()

  constructor(snakeCase: (name: string) => string) {
    super()
    this.#snakeCase = snakeCase
  }

  protected override transformIdentifier(node: IdentifierNode, queryId?: QueryId): IdentifierNode {
    const { name, ...rest } = super.transformIdentifier(node, queryId)
    return { ...rest, name: this.#snakeCase(name) }
  }

  /** Kysely's transformer does not visit a collation. */
  protected override transformCollate(node: CollateNode, queryId?: QueryId): CollateNode {
    return { ...node, collation: this.transformIdentifier(node.collation, queryId) }
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const known = this.#fragments.get(node.sqlFragments)
    const sqlFragments = known ?? node.sqlFragments.map((text) => this.#transformSql(text))
    if (known === undefined) this.#fragments.set(node.sqlFragments, sqlFragments)
    return { ...super.transformRaw(node, queryId), sqlFragments }
  }

  #transformSql(text: string): string {
    return text.replaceAll(quotedOrName, (part) => (/^['"]/u.test(part) ? part : this.#snakeCase(part)))
  }
}

const quotedOrName = /'[^']*'|"[^"]*"|\b[a-z][a-z\d]*(?:[A-Z][a-z\d]*)+\b/gu
