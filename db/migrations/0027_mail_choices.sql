ALTER TABLE `administrators` ADD `mail_chosen_at` integer;--> statement-breakpoint
ALTER TABLE `skipped_dates` ADD `reason` text;