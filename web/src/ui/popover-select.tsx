/** The dropdown of a select. Lazy-loaded when it is opened. */
import { Select, type SelectProps } from '@mantine/core'

interface PopoverSelectProps extends SelectProps {
  readonly onChoose: (value: string) => void
}

/** A longer list has a search. */
const plainOptionsMax = 7
/** More are found by searching. */
const shownOptionsMax = 100

/**
 * A select without an empty choice; a long list is searched by typing. The fixed strategy keeps a scrolling ancestor
 * from clipping its list.
 */
export function PopoverSelect({ data = [], onChoose, ...props }: PopoverSelectProps) {
  return (
    <Select
      {...props}
      data={data}
      searchable={data.length > plainOptionsMax}
      limit={shownOptionsMax}
      selectFirstOptionOnChange
      nothingFoundMessage="None matches"
      // What is typed then replaces the name of the current choice.
      onFocus={({ currentTarget }) => currentTarget.select()}
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      allowDeselect={false}
      withScrollArea={false}
      maxDropdownHeight={320}
      onChange={(value) => value !== null && onChoose(value)}
    />
  )
}
