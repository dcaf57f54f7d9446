import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface SearchInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  label: string
  value: string
  onChange: (term: string) => void
}

/** A search box without a visible label. Enter does not submit the form around it. */
export function SearchInput({ label, onChange, ...input }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder="Search"
      leftSection={<IconSearch />}
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...input}
    />
  )
}
