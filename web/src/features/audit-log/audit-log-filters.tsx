import { NativeSelect, TextInput } from '@mantine/core'
import { useMay } from '../../api/session/workspace.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import css from '../../domain/admin/admin.module.css'
import { useSetFilter } from './use-audit-log-filter.ts'

const outcomes = [
  { value: '', label: 'All' },
  { value: 'success', label: 'Done' },
  { value: 'refused', label: 'Refused' },
  { value: 'failure', label: 'Failed' },
]
const scopes = [
  { value: '', label: 'This organisation' },
  { value: 'true', label: 'The provider' },
]

export function AuditFilters() {
  const params = useAddress()
  const set = useSetFilter()
  const may = useMay()
  const bound = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  })
  return (
    <div className={css.filters}>
      {may('seeAdminDashboard') ? <NativeSelect label="Events of" data={scopes} {...bound('ofProvider')} /> : null}
      <NativeSelect label="Outcome" data={outcomes} {...bound('outcome')} />
      <TextInput label="From" type="date" {...bound('from')} />
      <TextInput label="To" type="date" {...bound('to')} />
    </div>
  )
}
