/** Descriptions of discounts, shipping zones and customer relations of Cin7 Core. */
import type { ColumnTexts, TableTexts } from '../../http/dictionary.ts'

const addressColumns = { type: 'Kind of the address: Billing, Business or Shipping.' }
const dealPart = (noun: string, columns: ColumnTexts): TableTexts => ({
  about: `${noun} that a discount of a deal is limited to.`,
  columns: {
    section_no: 'Which discount of the deal, from 1.',
    type: 'Buy if it must be bought, Get if it is discounted.',
    ...columns,
  },
})

export const relationTables: Readonly<Record<string, TableTexts>> = {
  carrier: { about: 'Carriers that ship goods.', columns: { description: 'Name of the carrier.' } },
  discount_rule: {
    about: 'Rules for discounts of products.',
    columns: { type: 'What the rule looks at, such as the quantity or the amount of a line.' },
  },
  discount_rule_line: {
    about: 'Steps of a discount rule.',
    columns: {
      line_id: 'Id of the step at Cin7 Core.',
      min_value: 'Smallest value of the step.',
      max_value: 'Largest value of the step; empty without a limit.',
      amount: 'Discount of the step: per cent or an amount, as the kind says.',
      discount_type: 'Percentage or an amount.',
    },
  },
  deal: {
    about: 'Deals: campaigns with discounts for certain customers and times.',
    columns: {
      date_from: 'First day of the deal.',
      date_to: 'Last day of the deal; empty without an end.',
      allow_coupons: 'True if a coupon code is needed.',
      coupon_codes: 'Coupon codes of the deal.',
      single_coupon_code_usage: 'True if each coupon code can be used once.',
      customers_group: 'Which customers get the deal: all, chosen ones, or those with a tag.',
      customers: 'Chosen customers as JSON; the table of customers of deals has them as rows.',
      customer_tags: 'Chosen tags of customers as JSON; the table of tags of deals has them as rows.',
    },
  },
  deal_discount: {
    about: 'Discounts of a deal.',
    columns: {
      deal_discount_id: 'Id of the row at Cin7 Core.',
      discount_id: 'Id of the discount at Cin7 Core.',
      discount_name: 'Name of the discount.',
      discount_type: 'Kind of the discount, such as buy and get.',
      sequence: 'Order in which the discounts of the deal apply.',
      is_order_level: 'True if it applies to the whole order instead of lines.',
      buy_more: 'True if it applies again with each multiple of what is bought.',
      buy_type: 'What has to be bought: any product, or certain ones.',
      buy_value: 'Quantity or amount that has to be bought.',
      buy_value_type: 'Whether buy_value is a quantity or an amount.',
      get_type: 'What is discounted.',
      get_value: 'Size of the discount.',
      get_value_type: 'Whether get_value is per cent, an amount or a number of units.',
      brands: 'Brands as JSON; their own table has them as rows.',
      categories: 'Categories as JSON; their own table has them as rows.',
      products: 'Products as JSON; their own table has them as rows.',
      tags: 'Tags as JSON; their own table has them as rows.',
    },
  },
  deal_customer: { about: 'Customers who get a deal.', columns: { deal_customer_id: 'Id of the row at Cin7 Core.' } },
  deal_customer_tag: {
    about: 'Tags of customers who get a deal.',
    columns: { deal_customer_tag_id: 'Id of the row at Cin7 Core.' },
  },
  deal_discount_brand: {
    ...dealPart('Brands', {
      deal_discount_brand_id: 'Id of the row at Cin7 Core.',
      brand_id: 'Brand that the discount is limited to.',
      brand_name: 'Name of the brand.',
    }),
    references: { brand_id: 'brand.id' },
  },
  deal_discount_category: {
    ...dealPart('Categories', {
      deal_discount_category_id: 'Id of the row at Cin7 Core.',
      category_id: 'Category that the discount is limited to.',
      category_name: 'Name of the category.',
    }),
    references: { category_id: 'category.id' },
  },
  deal_discount_product: dealPart('Products', {
    deal_discount_product_id: 'Id of the row at Cin7 Core.',
    is_family: 'True if the row names a family of products instead of one.',
  }),
  deal_discount_tag: dealPart('Tags of products', { deal_discount_tag_id: 'Id of the row at Cin7 Core.' }),
  ship_zone: {
    about: 'Shipping zones with their costs.',
    columns: {
      short_desc: 'Short text about the zone.',
      default_shipping_cost: 'Cost of shipping if no area has its own, in base currency.',
      is_rest_zone: 'True for the zone of all places that are in no other.',
      negative: 'True if the areas are those that the zone does not include.',
      prices_incl_tax: 'True if the costs include tax.',
      tax_rule_id: 'Tax rule of the shipping.',
      tax_rule_name: 'Name of the tax rule of the shipping.',
      conditions: 'Conditions for the costs, as JSON.',
    },
  },
  ship_zone_area: {
    about: 'Areas of a shipping zone.',
    columns: {
      area_id: 'Id of the area at Cin7 Core.',
      country2: 'ISO 3166 code of the country, two letters.',
      state_id: 'Id of the state at Cin7 Core.',
      state_name: 'Name of the state; empty for the whole country.',
      post_code_from: 'First postal code of the area.',
      post_code_to: 'Last postal code of the area.',
      post_codes_list: 'Single postal codes, separated by commas.',
      shipping_rate: 'Cost of shipping to the area, in base currency.',
    },
  },
  lead: {
    about: 'Leads: possible customers.',
    columns: {
      lead_status: 'State of the lead, as the company has defined it.',
      amount: 'Expected amount, in the currency of the lead.',
      close_chance: 'Chance of a sale in per cent.',
      close_date: 'Day on which a decision is expected.',
    },
  },
  lead_address: { about: 'Addresses of a lead.', columns: addressColumns },
  lead_contact: { about: 'Contact persons of a lead.' },
  opportunity: {
    about: 'Opportunities: offers to leads and customers before a sale begins.',
    columns: {
      lead_id: 'Lead that the offer is for; empty if it is for a customer.',
      number: 'Number of the opportunity.',
      term_method: 'How the due date follows from the date.',
      term_days: 'Days of the payment term.',
      term_due_next_month: 'True if the days count from the next month.',
      tax_total: 'Sum of the tax, in the currency of the document.',
      total: 'Amount with tax, in the currency of the document.',
      'ship_to_address#': 'Line {n} of the delivery address.',
      ship_to_company: 'Company that the goods are delivered to.',
      ship_to_contact: 'Person who receives the goods.',
      ship_to_city: 'City or suburb of the delivery address.',
      ship_to_state: 'State or province of the delivery address.',
      ship_to_post_code: 'Postal code of the delivery address.',
      ship_to_country: 'Country of the delivery address.',
      ship_to_other: 'True if the address was typed instead of chosen from the customer.',
    },
    references: { lead_id: 'lead.id' },
  },
  opportunity_line: {
    about: 'Goods and services of an opportunity.',
    columns: { line_id: 'Id of the line at Cin7 Core.' },
  },
  opportunity_charge: {
    about: 'Additional charges of an opportunity, such as freight.',
    columns: {
      charge_id: 'Id of the charge at Cin7 Core.',
      amount: 'Price of one unit, in the currency of the document.',
    },
  },
  crm_task: {
    about: 'Tasks of the customer relations: calls, meetings and reminders.',
    columns: {
      category: 'Kind of the task, such as Call or Meeting.',
      status: 'State of the task, such as Open, Completed or Void.',
      assigned_by: 'Who assigned the task.',
      assigned_to: 'Who has to do the task.',
      entity_id: 'Customer, lead or document that the task is about.',
      entity_type: 'What kind of record entity_id is.',
      start_date: 'When the task begins, in UTC.',
      end_date: 'When the task should be done, in UTC.',
      completed_date: 'When the task was done, in UTC; empty while it is open.',
      void_date: 'When the task was cancelled, in UTC; else empty.',
      is_all_day: 'True if the task has no time of the day.',
      is_important: 'True if the task is marked as important.',
      workflow_name: 'Workflow that created the task; else empty.',
      steps: 'Steps of the task as JSON.',
    },
    references: { category: '' },
  },
  crm_workflow: {
    about: 'Workflows: tasks that are created one after the other.',
    columns: {
      entity_type: 'What kind of record the workflow is for.',
      due_days_type: 'Whether days are calendar days or working days.',
    },
  },
  crm_workflow_step: {
    about: 'Steps of a workflow.',
    columns: {
      step_id: 'Id of the step at Cin7 Core.',
      category: 'Kind of the task that the step creates.',
      days: 'Days after the step before.',
      start_time: 'Time of the day at which the task begins.',
      end_time: 'Time of the day at which the task ends.',
      skip_holiday: 'True if holidays are skipped.',
      user_name: 'Who has to do the task.',
    },
    references: { category: '' },
  },
}
