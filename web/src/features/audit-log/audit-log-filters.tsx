import { NativeSelect, TextInput } from '@mantine/core'
import { useMay } from '../../api/session/workspace.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import css from '../../domain/admin/admin.module.css'
import { useSetAuditLogFilter } from './use-audit-log-filter.ts'

const outcomeChoices = [
  { value: '', label: 'All' },
  { value: 'success', label: 'Done' },
  { value: 'refused', label: 'Refused' },
  { value: 'failure', label: 'Failed' },
]
const scopeChoices = [
  { value: '', label: 'This organisation' },
  { value: 'true', label: 'The provider' },
]

export function AuditLogFilters() {
  const params = useUrlParams()
  const setFilter = useSetAuditLogFilter()
  const may = useMay()
  const fieldProps = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => setFilter(name, event.currentTarget.value),
  })
  return (
    <div className={css.filters}>
      {may('seeAdminDashboard') ? (
        <NativeSelect label="Events of" data={scopeChoices} {...fieldProps('ofProvider')} />
      ) : null}
      <NativeSelect label="Outcome" data={outcomeChoices} {...fieldProps('outcome')} />
      <TextInput label="From" type="date" {...fieldProps('from')} />
      <TextInput label="To" type="date" {...fieldProps('to')} />
    </div>
  )
}
