ALTER TABLE `administrators` ADD `mail_chosen_at` integer;--> statement-breakpoint
ALTER TABLE `private_links` ADD `hides_prayer` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `family_members` ADD `stays_away` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `identity` text;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `links_open` integer;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `address_changed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `skipped_dates` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `standing_rsvps` ADD `address_changed` integer DEFAULT false NOT NULL;