/** A plugin that logs every statement without its values, so that two calls with the same work leave the same lines. */
import { createQueryId, type KyselyPlugin, PostgresQueryCompiler, type RootOperationNode } from 'kysely'

export class StatementLog implements KyselyPlugin {
  readonly #compiler = new PostgresQueryCompiler()
  #lines: string[] = []

  transformQuery({ node }: { readonly node: RootOperationNode }): RootOperationNode {
    this.#lines.push(this.#compiler.compileQuery(node, createQueryId()).sql)
    return node
  }

  async transformResult({
    result,
  }: Parameters<KyselyPlugin['transformResult']>[0]): ReturnType<KyselyPlugin['transformResult']> {
    return result
  }

  /** Returns the statements since the last call. */
  take(): readonly string[] {
    const taken = this.#lines
    this.#lines = []
    return taken
  }
}
