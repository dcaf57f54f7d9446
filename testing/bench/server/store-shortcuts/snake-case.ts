/** Replacement with Kysely's renaming, which copies each row. */
import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely'
import { SnakeCaseStatements as Statements } from '../../../../server/src/kernel/store/snake-case.ts'

const rename = new CamelCasePlugin({ maintainNestedObjectKeys: true })

export class SnakeCaseStatements extends Statements {
  override transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return rename.transformResult(args)
  }
}
