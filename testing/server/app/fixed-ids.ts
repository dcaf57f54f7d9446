/** The ids of roles and statuses in the first migration. */
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'

export function roleIdOf(name: RoleName): string {
  return `00000000-0000-4000-8000-0000000000${10 + roleLevels[name]}`
}

export const statusIds = {
  active: '00000000-0000-4000-8000-000000000020',
  locked: '00000000-0000-4000-8000-000000000021',
  archived: '00000000-0000-4000-8000-000000000022',
} as const
