/** The choice of the organisation. The server searches if there are more than the pane has loaded. */
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { Select } from '@fluentui/react-select'
import { searchDebounceMs } from '@tributary/contract/limits'
import type { Organisation } from '@tributary/contract/organisations'
import { useEffect, useState } from 'react'
import { findOrganisations, isCutOff } from '../api/organisations.ts'
import { useScreenQuery } from '../api/use-screen-query.ts'
import { Failure } from '../ui/message-bars.tsx'

interface OrganisationFieldProps {
  organisations: readonly Organisation[]
  value: string
  onChoose: (organisationId: string) => void
}

export function OrganisationField({ organisations, value, onChoose }: OrganisationFieldProps) {
  if (!isCutOff(organisations)) return <OrganisationSelect {...{ organisations, value, onChoose }} />
  return <FoundOrganisationField {...{ organisations, value, onChoose }} />
}

function FoundOrganisationField({ organisations, value, onChoose }: OrganisationFieldProps) {
  const [term, setTerm] = useState('')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(() => organisations.find(({ Id }) => Id === value))
  useEffect(() => {
    const timer = setTimeout(() => setSearch(term.trim()), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [term])
  const found = useScreenQuery({
    queryKey: ['organisations', 'search', search],
    queryFn: (signal) => (search === '' ? Promise.resolve(organisations) : findOrganisations(search, signal)),
  })
  const others = (found.data ?? []).filter(({ Id }) => Id !== chosen?.Id)
  const offered = chosen === undefined ? others : [chosen, ...others]
  return (
    <>
      <Field
        label="Find an organisation"
        {...(search !== '' && found.data?.length === 0 && { validationMessage: 'No organisation has this name.' })}
      >
        <Input type="search" value={term} onChange={(_, { value: text }) => setTerm(text)} />
      </Field>
      <Failure error={found.error} onRetry={found.refetch} />
      <OrganisationSelect
        organisations={offered}
        value={value}
        onChoose={(id) => {
          setChosen(offered.find(({ Id }) => Id === id))
          onChoose(id)
        }}
      />
    </>
  )
}

function OrganisationSelect({ organisations, value, onChoose }: OrganisationFieldProps) {
  return (
    <Field label="Organisation">
      <Select value={value} onChange={(_, { value: id }) => onChoose(id)}>
        {organisations.map(({ Id, CompanyName }) => (
          <option key={Id} value={Id}>
            {CompanyName}
          </option>
        ))}
      </Select>
    </Field>
  )
}
