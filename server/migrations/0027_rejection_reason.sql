-- What a person wrote to the applicant when rejecting a request.
ALTER TABLE approval ADD COLUMN rejection_reason text;
