INSERT INTO `features` (`name`, `enabled`) VALUES ('calendarIntegration', 1), ('familyRsvp', 1), ('volunteerSignup', 1);
--> statement-breakpoint
INSERT INTO `volunteer_roles` (`name`) VALUES ('Greeter'), ('Usher'), ('Music'), ('Children''s Class'), ('Audio and Video'), ('Fellowship Meal');
