/** Renames tables of a stream. The new names are noted first, so that the next writer finishes a rename that was interrupted. */
import type { RenameResult, TableRename } from '../../../ports/target.ts'
import { commitChange } from '../table/commit-loop.ts'
import { identify, type LakeContext } from '../table/lake-context.ts'
import { propertyNames } from '../table/table-properties.ts'
import type { ClaimedTable, ConnectorTable } from './connector-table.ts'
import { claimingSnapshot } from './connector-table.ts'
import { tableName } from './facts.ts'

export async function renameTables(
  context: LakeContext,
  connector: ConnectorTable,
  { stream, renamings }: { readonly stream: string; readonly renamings: readonly TableRename[] },
): Promise<RenameResult> {
  const claims = await connector.listTables()
  const wanted = renamings.flatMap(({ from, to }) => {
    const claim = claims.find((each) => each.stream === stream && each.sourceName === from)
    return claim === undefined ? [] : [{ claim, renamedTo: { name: tableName(to), sourceName: to } }]
  })
  for (const { claim, renamedTo } of wanted)
    if (claim.name !== renamedTo.name && (await context.catalog.loadTable(identify(context, renamedTo.name))) !== null)
      return { outcome: 'taken', name: renamedTo.name }
  // The commit also fails for a writer that was declared dead.
  await connector.changeTables((all) =>
    all.map((claim) => {
      const rename = wanted.find((each) => each.claim.name === claim.name)
      return rename === undefined ? claim : { ...claim, renamedTo: rename.renamedTo }
    }),
  )
  await finishRenames(context, connector)
  return { outcome: 'done' }
}

export async function finishRenames(context: LakeContext, connector: ConnectorTable): Promise<void> {
  const pending = (await connector.listTables()).filter(({ renamedTo }) => renamedTo !== undefined)
  if (pending.length === 0) return
  for (const claim of pending) await renameTable(context, claim)
  await connector.changeTables((all) =>
    all.map(({ renamedTo, ...claim }) => (renamedTo === undefined ? claim : { ...claim, ...renamedTo })),
  )
}

async function renameTable(context: LakeContext, { name, renamedTo }: ClaimedTable): Promise<void> {
  if (renamedTo === undefined) return
  const { catalog } = context
  const isThere = (await catalog.loadTable(identify(context, name))) !== null
  if (isThere && name !== renamedTo.name)
    await catalog.renameTable(identify(context, name), identify(context, renamedTo.name))
  if ((await catalog.loadTable(identify(context, renamedTo.name))) === null) return
  await commitChange(context, {
    name: renamedTo.name,
    fence: 'claim',
    build: async (table) => ({
      ...(await claimingSnapshot(context, table)),
      properties: { [propertyNames.sourceTable]: renamedTo.sourceName },
    }),
  })
}
