/** Checks what a commit requires of a table. */
import { CatalogConflictError } from './catalog.ts'
import type { TableRequirement } from './commit.ts'
import type { TableMetadata } from './metadata.ts'

/** @throws CatalogConflictError for the first requirement that does not hold */
export function assertRequirements(metadata: TableMetadata, requirements: readonly TableRequirement[]): void {
  for (const requirement of requirements) {
    if (!isMet(metadata, requirement))
      throw new CatalogConflictError(`The table has changed: ${requirement.type} does not hold.`)
  }
}

function isMet(metadata: TableMetadata, requirement: TableRequirement): boolean {
  switch (requirement.type) {
    case 'assert-create':
      return false
    case 'assert-table-uuid':
      return metadata['table-uuid'] === requirement.uuid
    case 'assert-ref-snapshot-id':
      return (metadata.refs?.[requirement.ref]?.['snapshot-id'] ?? null) === requirement['snapshot-id']
    case 'assert-last-assigned-field-id':
      return metadata['last-column-id'] === requirement['last-assigned-field-id']
    case 'assert-current-schema-id':
      return metadata['current-schema-id'] === requirement['current-schema-id']
    case 'assert-last-assigned-partition-id':
      return metadata['last-partition-id'] === requirement['last-assigned-partition-id']
    case 'assert-default-spec-id':
      return metadata['default-spec-id'] === requirement['default-spec-id']
    case 'assert-default-sort-order-id':
      return metadata['default-sort-order-id'] === requirement['default-sort-order-id']
  }
}
