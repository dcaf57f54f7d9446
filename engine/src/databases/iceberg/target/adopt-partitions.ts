/** Before a full refresh, the partitions that the settings name become those of the files that it writes. */
import type { StreamTables } from '../../sql-target/table-layout.ts'
import { commitChange } from '../table/commit-loop.ts'
import type { LakeContext } from '../table/lake-context.ts'
import { partitionColumn, withPartitions } from '../table/partitions.ts'
import { schemaOf } from '../table/snapshot-writer.ts'

export async function adoptPartitions(context: LakeContext, tables: StreamTables): Promise<void> {
  for (const { name } of tables)
    await commitChange(context, {
      name,
      fence: 'hold',
      build: async ({ metadata }) => {
        const { updates } = withPartitions(metadata, partitionColumn(schemaOf(metadata), context.partitionBy))
        const lastId = metadata['last-partition-id']
        const requirements = [
          { type: 'assert-last-assigned-partition-id', 'last-assigned-partition-id': lastId },
        ] as const
        return updates.length === 0 ? null : { updates, requirements, written: [] }
      },
    })
}
