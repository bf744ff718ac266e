ALTER TABLE `event_translations` ADD `contact` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_translations` ADD `roles` text DEFAULT '{}' NOT NULL;